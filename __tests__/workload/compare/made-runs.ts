import fc from 'fast-check';
import type { RunSeries, Series } from '../../../workload/compare/series.js';

/** A run with these values by cluster of these measurements (queries are Perc99, units s). */
export function madeRun(
  measured: Readonly<Record<string, Readonly<Record<string, number>>>>,
  clusters: readonly string[] = [],
): RunSeries {
  const series = Object.entries(measured).map(([measurement, values]): [string, Series] => {
    const id = JSON.stringify([measurement, 'Perc99', '', '']);
    const places = new Map(Object.entries(values));
    const common = { query: 'Perc99', labels: '', phase: '', unit: 's' };
    return [id, { id, measurement, ...common, values: places, missing: new Set() }];
  });
  const named = Object.values(measured).flatMap((values) => Object.keys(values));
  return {
    run: 'r',
    scenario: 's',
    target: 'local',
    engine: 'native',
    clusters: new Set([...named, ...clusters]),
    series: new Map(series),
    problems: [],
  };
}

/** Values of clusters 1 … count. */
export function across(count: number, valueOf: (cluster: number) => number) {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [String(index + 1), valueOf(index + 1)]),
  );
}

/** Runs of some measurements, some of them without values in some clusters. */
export const someRuns: fc.Arbitrary<RunSeries> = fc
  .dictionary(
    fc.constantFrom('low', 'high', 'neutral', 'low 2'),
    fc.dictionary(fc.nat(19).map(String), fc.double({ min: -1e6, max: 1e6, noNaN: true })),
  )
  .map((measured) => madeRun(measured));
