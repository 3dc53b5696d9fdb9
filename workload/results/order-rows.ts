import type { Row } from '../../model/row.js';

/** Sorted by (cluster, group, measurement, key, attempt, stamp): equal inputs give equal files. */
export function sortRows(rows: readonly Row[]): readonly Row[] {
  return [...rows].sort(
    (a, b) =>
      compare(a.cluster, b.cluster) ||
      compare(a.group, b.group) ||
      compare(a.measurement, b.measurement) ||
      compare(a.meshscale.key, b.meshscale.key) ||
      compareAge(a, b),
  );
}

/** Of the rows with one key, the one of the newest (attempt, stamp). */
export function newestRows(rows: readonly Row[]): readonly Row[] {
  const newest = new Map<string, Row>();
  for (const row of rows) {
    const { key } = row.meshscale;
    const known = newest.get(key);
    if (known === undefined || compareAge(known, row) < 0) newest.set(key, row);
  }
  return [...newest.values()];
}

function compareAge(a: Row, b: Row): number {
  return (
    a.meshscale.attempt - b.meshscale.attempt ||
    compare(a.meshscale.stamp, b.meshscale.stamp) ||
    // Nothing tells them apart: any fixed choice keeps the result independent of the order read.
    compare(JSON.stringify(a.result), JSON.stringify(b.result))
  );
}

function compare(a: string, b: string): number {
  // Most that are compared are one and the same text.
  return a === b ? 0 : a < b ? -1 : 1;
}
