import type { Milliseconds } from '../../model/quantity.js';
import type { RawSample, RawSeries } from './prometheus-source.js';
import { isInside, type MeasureWindow, type TargetHistory } from './target-history.js';

/** What a counter gained between two neighbouring scrapes. Never negative. */
export interface GrowthStep {
  readonly from: Milliseconds;
  readonly to: Milliseconds;
  readonly gained: number;
}

/**
 * What a counter gained within the window, step by step, without extrapolation. Each step ends at a
 * sample inside the window. A value below its predecessor is a restart from 0. Samples that are no
 * finite numbers are left out. Empty when no sample lies inside.
 */
export function growthSteps(
  series: RawSeries,
  window: MeasureWindow,
  target: TargetHistory,
): readonly GrowthStep[] {
  const samples = series.samples.filter(({ value }) => Number.isFinite(value));
  const inside = samples.filter(({ at }) => isInside(at, window));
  const [first] = inside;
  if (first === undefined) return [];
  const before = samples.findLast(({ at }) => at <= window.start);
  let previous = before ?? baselineOf(first, window, target);
  return inside.map((sample) => {
    const gained = sample.value >= previous.value ? sample.value - previous.value : sample.value;
    const step = { from: previous.at, to: sample.at, gained };
    previous = sample;
    return step;
  });
}

/** The sum of all steps. */
export function totalGrowth(steps: readonly GrowthStep[]): number {
  return steps.reduce((sum, { gained }) => sum + gained, 0);
}

/**
 * What stood before the first sample that we have. A labelled counter is born with its first event:
 * if its target was scraped before without it, or began within the window, it was 0. Otherwise it may
 * have counted for days before anybody looked, and only what comes after its first sample is known.
 */
function baselineOf(
  first: RawSample,
  window: MeasureWindow,
  { scrapes, processStart }: TargetHistory,
): RawSample {
  const scrapeBefore = scrapes.findLast((at) => at < first.at);
  if (scrapeBefore !== undefined) return { at: scrapeBefore, value: 0 };
  if (processStart !== undefined && processStart >= window.start && processStart < first.at) {
    return { at: processStart, value: 0 };
  }
  return first;
}
