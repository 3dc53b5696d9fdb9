import type { Change } from './change.js';
import { checkThresholds, notThere, placesWithout, subjectOf, type Check } from './gate.js';
import type { RunSeries } from './series.js';
import { seriesFor, type Threshold } from './thresholds.js';

/** What thresholds are held against. */
export interface ThresholdSubject {
  readonly before: RunSeries;
  readonly thresholds?: readonly Threshold[] | undefined;
  /** Names in rows of the ids of the catalogue. */
  readonly names: ReadonlyMap<string, string>;
}

/** How much worse each series may be as thresholds say it; the least of several for one value. */
export function tolerancesOf({
  before,
  thresholds = [],
  names,
}: ThresholdSubject): ReadonlyMap<string, number> {
  const tolerances = new Map<string, number>();
  for (const threshold of thresholds) {
    const share = shareOf(threshold);
    if (share === undefined) continue;
    for (const { id } of seriesFor(threshold, before.series, names)) {
      tolerances.set(id, Math.min(share, tolerances.get(id) ?? share));
    }
  }
  return tolerances;
}

function shareOf({ worseBy }: Threshold): number | undefined {
  return worseBy === undefined ? undefined : Number.parseFloat(worseBy) / 100;
}

/** Holds a comparison against absolute and relative limits. What is missing never passes. */
export function thresholdChecks(
  changes: readonly Change[],
  { before, after, thresholds = [], names }: ThresholdSubject & { readonly after: RunSeries },
): readonly Check[] {
  const byId = new Map(changes.map((change) => [change.series.id, change]));
  const relative = thresholds.flatMap((threshold) => {
    const limit = shareOf(threshold);
    if (limit === undefined) return [];
    const series = seriesFor(threshold, before.series, names);
    if (series.length === 0) return [notThere(threshold)];
    return series.flatMap(({ id }) => {
      const change = byId.get(id);
      return change === undefined ? [] : [relativeCheck(change, limit, after)];
    });
  });
  return [...checkThresholds(after, thresholds, names), ...relative];
}

/** Few clusters cannot make it sure; then it may be no worse at all beyond what was allowed. */
function relativeCheck(change: Change, limit: number, after: RunSeries): Check {
  const { series, moved, share, noise, direction, state } = change;
  const subject = subjectOf(series);
  const common = { subject, op: '≤', limit: limit * 100, unit: '%' } as const;
  const without = placesWithout(after, series).length + change.lost.length;
  if (moved === undefined || without > 0) {
    const text = `${subject} is missing in ${Math.max(1, without)} clusters or pairs that had it`;
    return { ...common, state: 'missing', text, value: null };
  }
  const sign = direction === 'higher' ? -1 : 1;
  const size = share ?? (moved.shift === 0 ? 0 : Math.sign(moved.shift) * Infinity);
  const worse = direction === 'neutral' ? Math.abs(size) : sign * size;
  const spread = moved.interval;
  const mayBeChance = spread !== undefined && spread.low <= 0 && spread.high >= 0;
  const broken = state !== 'same' && worse > Math.max(limit, noise ?? 0) && !mayBeChance;
  const value = Number.isFinite(worse) ? worse * 100 : null;
  const said = value === null ? 'from nothing' : `${value.toFixed(1)} %`;
  const text = `${subject} is worse by ${said}, asked ≤ ${limit * 100} %`;
  return { ...common, state: broken ? 'broken' : 'held', text, value };
}
