import { median } from './median-shift.js';
import type { RunSeries, Series } from './series.js';
import { limitIn, seriesFor, type Threshold } from './thresholds.js';

/** How one threshold came out for one series, or for none that could be found. */
export interface Check {
  /** `ClusterMesh Etcd MVCC Keys Max [burst]`. */
  readonly subject: string;
  readonly state: 'held' | 'broken' | 'missing';
  /** The sentence a person reads. */
  readonly text: string;
  readonly value: number | null;
  readonly op: '≤' | '≥' | '';
  readonly limit: number | null;
  readonly unit: string;
}

/**
 * Holds a run against absolute limits. A value that is not there never passes: not the measurement,
 * and not in one cluster of many. Names of measurements may be ids of the catalogue (`names`).
 */
export function checkThresholds(
  run: RunSeries,
  thresholds: readonly Threshold[],
  names: ReadonlyMap<string, string>,
): readonly Check[] {
  return thresholds.flatMap((threshold) => {
    if (threshold.atMost === undefined && threshold.atLeast === undefined) return [];
    const series = seriesFor(threshold, run.series, names);
    if (series.length === 0) return [notThere(threshold)];
    return series.flatMap((one) => [
      ...(threshold.atMost === undefined ? [] : [check(run, one, threshold, '≤')]),
      ...(threshold.atLeast === undefined ? [] : [check(run, one, threshold, '≥')]),
    ]);
  });
}

/** What a threshold says about a value that no run has. */
export function notThere({ measurement, query, phase }: Threshold): Check {
  const subject = subjectOf({ measurement, query, phase: phase ?? '', labels: '' });
  const text = `${subject} is missing: there is no such value in the run`;
  return { subject, state: 'missing', text, value: null, op: '', limit: null, unit: '' };
}

/** What a threshold on a change says where there is nothing to compare with. */
export function notCompared({ measurement, query, phase = '', worseBy = '' }: Threshold): Check {
  const subject = subjectOf({ measurement, query, phase, labels: '' });
  const text = `${subject} may be worse by ${worseBy}, and there is no baseline`;
  return { subject, state: 'missing', text, value: null, op: '', limit: null, unit: '' };
}

/** How people call a series. */
export function subjectOf(
  series: Pick<Series, 'measurement' | 'query' | 'labels' | 'phase'>,
): string {
  const { measurement, query, labels, phase } = series;
  return [
    `${measurement} ${query}`,
    ...(labels === '' ? [] : [`{${labels}}`]),
    ...(phase === '' ? [] : [`[${phase}]`]),
  ].join(' ');
}

/** Places of a series without a value: those that were asked, and clusters that have nothing at all. */
export function placesWithout(run: RunSeries, series: Series): readonly string[] {
  const ofPairs = [...series.values.keys(), ...series.missing].some((place) => place.includes('>'));
  const expected = ofPairs ? [] : [...run.clusters];
  const all = new Set([...series.missing, ...expected]);
  return [...all].filter((place) => !series.values.has(place)).sort();
}

function check(run: RunSeries, series: Series, threshold: Threshold, op: '≤' | '≥'): Check {
  const subject = subjectOf(series);
  const given = (op === '≤' ? threshold.atMost : threshold.atLeast) ?? 0;
  const limit = limitIn(series.unit, given);
  const { unit } = series;
  const common = { subject, op, unit, limit: limit ?? null };
  if (limit === undefined) {
    const text = `${subject} is in ${unit || 'no unit'}, which ${given} cannot be compared with`;
    return { ...common, state: 'missing', text, value: null };
  }
  const without = placesWithout(run, series);
  const decided = deciding(series, threshold.of ?? 'worst', op);
  if (decided === undefined || without.length > 0) {
    const text = `${subject} is missing in ${places(without)}`;
    return { ...common, state: 'missing', text, value: decided?.value ?? null };
  }
  const { value, place } = decided;
  const held = op === '≤' ? value <= limit : value >= limit;
  const text = `${subject}: ${number(value)} ${unit} ${place}, asked ${op} ${number(limit)} ${unit}`;
  return { ...common, state: held ? 'held' : 'broken', text, value };
}

function deciding(
  { values }: Series,
  of: 'worst' | 'median',
  op: '≤' | '≥',
): { readonly value: number; readonly place: string } | undefined {
  if (of === 'median') {
    const value = median([...values.values()]);
    return value === undefined ? undefined : { value, place: 'in the median' };
  }
  const sorted = [...values].sort(([, a], [, b]) => (op === '≤' ? b - a : a - b));
  const [worst] = sorted;
  return worst === undefined ? undefined : { value: worst[1], place: placeText(worst[0]) };
}

function placeText(place: string): string {
  const [source = '', target] = place.split('>');
  return target === undefined ? `in cluster ${source}` : `from cluster ${source} to ${target}`;
}

function places(names: readonly string[]): string {
  if (names.length === 0) return 'every cluster';
  const shown = names.slice(0, MOST_NAMED).join(', ');
  return names.length > MOST_NAMED ? `${shown} and ${names.length - MOST_NAMED} more` : shown;
}

/** Our choice: the sentence stays one. */
const MOST_NAMED = 5;

function number(value: number): string {
  return String(Number(value.toPrecision(4)));
}
