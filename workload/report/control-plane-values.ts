import { FIXED_MEASUREMENTS, type Row } from '../../model/row.js';
import type { ReportValue } from './report-model.js';

/** Gathers, row by row, the values that the control plane section shows. */
export interface ValueGatherer {
  see(row: Row): void;
  values(): readonly ReportValue[];
}

/** Our choice: beyond this many rows of one measurement only the largest are worth a reader's time. */
const MOST_LABEL_SETS = 8;

/** Starts gathering. Keeps one number per (measurement, query, labels, cluster). */
export function gatherValues(): ValueGatherer {
  const found = new Map<
    string,
    ReportValue & { byCluster: { cluster: string; value: number }[] }
  >();
  return {
    see: (row) => {
      if (row.meshscale.kind !== 'measurement' || FIXED.has(row.measurement)) return;
      const labels = labelText(row.result['labels']);
      for (const [query, value] of entriesOf(row.result['data'])) {
        if (typeof value !== 'number') continue;
        const key = JSON.stringify([row.measurement, query, labels]);
        const { measurement, cluster } = row;
        const known = found.get(key) ?? {
          measurement,
          query,
          labels,
          unit: row.meshscale.unit,
          byCluster: [],
        };
        known.byCluster.push({ cluster, value });
        found.set(key, known);
      }
    },
    values: () => largest([...found.values()]),
  };
}

/** Shown elsewhere in the report. */
const FIXED: ReadonlySet<string> = new Set([
  FIXED_MEASUREMENTS.probeFloor,
  FIXED_MEASUREMENTS.propagationSummary,
]);

function largest(values: readonly ReportValue[]): readonly ReportValue[] {
  const byMeasurement = new Map<string, ReportValue[]>();
  for (const value of values) {
    const known = byMeasurement.get(value.measurement);
    if (known === undefined) byMeasurement.set(value.measurement, [value]);
    else known.push(value);
  }
  return [...byMeasurement.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, own]) => [...own].sort((a, b) => peak(b) - peak(a)).slice(0, MOST_LABEL_SETS));
}

function peak({ byCluster }: ReportValue): number {
  return Math.max(...byCluster.map((one) => one.value));
}

function labelText(labels: unknown): string {
  return entriesOf(labels)
    .filter(([name, value]) => value !== '' && !/count/i.test(name))
    .map(([, value]) => String(value))
    .join(' ');
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}
