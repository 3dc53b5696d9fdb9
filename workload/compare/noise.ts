import { median } from './median-shift.js';
import type { RunSeries, Series } from './series.js';

/** How much a value moves between runs in which nothing was changed. */
export interface Noise {
  /** How many runs it was estimated from; 0: it is unknown. */
  readonly runs: number;
  /** As a share of the value; undefined: unknown. */
  of(series: string): number | undefined;
}

/** Two points say nothing of a spread. Our choice. */
const LEAST_RUNS = 3;
/** About 1 of 400 runs lies further out, were they normally distributed. */
const WIDTH = 3;
/** Makes the median deviation of a normal distribution its standard deviation. */
const TO_DEVIATION = 1.4826;

/** Noise from repeated runs: the median deviation of their medians, which one odd run cannot widen. */
export function noiseOf(runs: readonly RunSeries[]): Noise {
  if (runs.length < LEAST_RUNS) return { runs: 0, of: () => undefined };
  return {
    runs: runs.length,
    of: (id) => {
      const medians = runs.flatMap((run) => medianOf(run.series.get(id)) ?? []);
      const middle = median(medians);
      if (middle === undefined || middle === 0 || medians.length < LEAST_RUNS) return undefined;
      const deviation = median(medians.map((one) => Math.abs(one - middle))) ?? 0;
      return (WIDTH * TO_DEVIATION * deviation) / Math.abs(middle);
    },
  };
}

function medianOf(series: Series | undefined): number | undefined {
  return series === undefined ? undefined : median([...series.values.values()]);
}
