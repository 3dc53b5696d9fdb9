import { troubles, unlike } from './alike.js';
import type { Change } from './change.js';
import type { Directions } from './direction.js';
import type { Check } from './gate.js';
import { medianShift, stillSure } from './median-shift.js';
import type { Noise } from './noise.js';
import type { RunSeries, Series } from './series.js';
import { thresholdChecks, tolerancesOf } from './threshold-checks.js';
import type { Threshold } from './thresholds.js';

/** Two runs, value by value. */
export interface Comparison {
  readonly before: RunSeries;
  readonly after: RunSeries;
  /** Why the two are not alike, a sentence each. */
  readonly notes: readonly string[];
  readonly changes: readonly Change[];
  /** What a threshold file asked; empty without one. */
  readonly checks: readonly Check[];
  /** Runs that the noise was estimated from. */
  readonly repeated: number;
  readonly verdict: 'same' | 'worse' | 'incomparable';
}

/** How two runs are compared. */
export interface CompareOptions {
  readonly directions: Directions;
  readonly noise: Noise;
  /** Undefined: every value that has a direction may be {@link TOLERANCE} worse. */
  readonly thresholds?: readonly Threshold[] | undefined;
  /** Names in rows of the ids of the catalogue. */
  readonly names: ReadonlyMap<string, string>;
}

/** A fifth: below it nobody acts. Our choice; a file of thresholds says better. */
const TOLERANCE = 0.2;

/**
 * Compares what two runs measured, pair by pair of the same cluster (or the same directed pair of
 * clusters). With thresholds only they decide; without, any value that is surely worse does.
 */
export function compareRuns(
  before: RunSeries,
  after: RunSeries,
  options: CompareOptions,
): Comparison {
  const tolerances = tolerancesOf({ before, ...options });
  const ids = [...new Set([...before.series.keys(), ...after.series.keys()])].sort();
  const raw = ids.map((id) => drawn(before.series.get(id), after.series.get(id), options));
  const sure = stillSure(raw.map(({ moved }) => moved?.chance ?? 1));
  const changes = raw.flatMap((one, index) => {
    const { series } = one;
    if (series === undefined) return [];
    const tolerance = tolerances.get(series.id) ?? TOLERANCE;
    const state = stateOf(one, { tolerance, sure: sure[index] === true });
    return [{ ...one, series, state }];
  });
  const checks = thresholdChecks(changes, { before, after, ...options });
  const notes = [...unlike(before, after), ...troubles(before, after)];
  const verdict = verdictOf(changes, checks, options);
  return { before, after, notes, changes, checks, repeated: options.noise.runs, verdict };
}

type Drawn = Omit<Change, 'state' | 'series'> & {
  readonly series: Series | undefined;
  readonly here: 'both' | 'before' | 'after';
};

function drawn(
  before: Series | undefined,
  after: Series | undefined,
  { directions, noise }: CompareOptions,
): Drawn {
  const pairs = [...(before?.values ?? [])].flatMap(([place, value]) => {
    const now = after?.values.get(place);
    return now === undefined ? [] : [[value, now] as const];
  });
  const moved = medianShift(pairs);
  const lost = [...(before?.values.keys() ?? [])].filter((place) => !after?.values.has(place));
  const series = after ?? before;
  const has = (one: Series | undefined) => one !== undefined && one.values.size > 0;
  return {
    series,
    direction: series === undefined ? 'neutral' : directions(series.measurement, series.query),
    moved,
    share:
      moved === undefined || moved.before === 0 ? undefined : moved.shift / Math.abs(moved.before),
    noise: series === undefined ? undefined : noise.of(series.id),
    lost: lost.sort(),
    here: !has(after) ? 'before' : !has(before) ? 'after' : 'both',
  };
}

function stateOf(
  { here, moved, share, noise, direction }: Drawn,
  { tolerance, sure }: { readonly tolerance: number; readonly sure: boolean },
): Change['state'] {
  if (here === 'before') return 'gone';
  if (here === 'after') return 'new';
  if (moved === undefined || moved.shift === 0) return 'same';
  // From nothing to something has no share, and is no small change.
  const size = share === undefined ? Number.POSITIVE_INFINITY : Math.abs(share);
  if (size <= tolerance || size <= (noise ?? 0)) return 'same';
  if (!sure) return 'unsure';
  if (direction === 'neutral') return 'moved';
  return moved.shift < 0 === (direction === 'lower') ? 'better' : 'worse';
}

function verdictOf(
  changes: readonly Change[],
  checks: readonly Check[],
  { thresholds }: CompareOptions,
): Comparison['verdict'] {
  if (thresholds !== undefined) {
    return checks.some((check) => check.state !== 'held') ? 'worse' : 'same';
  }
  const judged = changes.filter((change) => change.direction !== 'neutral');
  if (judged.some((change) => change.state === 'worse')) return 'worse';
  const lost = judged.some((change) => change.state === 'gone' || change.lost.length > 0);
  const nothing = !judged.some((change) => change.moved !== undefined);
  return lost || nothing ? 'incomparable' : 'same';
}
