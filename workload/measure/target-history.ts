import type { Milliseconds } from '../../model/quantity.js';
import type { RawSeries } from './prometheus-source.js';

/** A window of wall time, both ends included. */
export interface MeasureWindow {
  readonly start: Milliseconds;
  readonly end: Milliseconds;
}

/** When one target was scraped, and when its process began. */
export interface TargetHistory {
  /** Rising. */
  readonly scrapes: readonly Milliseconds[];
  /** Undefined when the target doesn't export it. */
  readonly processStart: Milliseconds | undefined;
}

/** The histories of all targets of a component. */
export interface TargetHistories {
  /** The target that a series was scraped from. */
  of(series: RawSeries): TargetHistory;
  /** Scrapes of all targets within the window. */
  scrapesIn(window: MeasureWindow): number;
}

/**
 * Joins raw samples of `up` and of `process_start_time_seconds` by target. They decide what a counter
 * was before its first sample: a label that appears while its target is scraped already was 0.
 */
export function targetHistories(
  up: readonly RawSeries[],
  processStarts: readonly RawSeries[],
): TargetHistories {
  const scrapes = new Map(up.map((series) => [targetKey(series), successes(series)]));
  const starts = new Map(
    processStarts.map((series) => [targetKey(series), series.samples.at(-1)?.value]),
  );
  return {
    of: (series) => {
      const key = targetKey(series);
      const started = starts.get(key);
      return {
        scrapes: scrapes.get(key) ?? [],
        processStart: started === undefined ? undefined : started * 1_000,
      };
    },
    scrapesIn: (window) => [...scrapes.values()].flat().filter((at) => isInside(at, window)).length,
  };
}

/** A scrape that failed saw nothing: a counter that it did not show was not 0. */
function successes({ samples }: RawSeries): readonly Milliseconds[] {
  return samples.filter(({ value }) => value === 1).map(({ at }) => at);
}

/** True after the start and not after the end: what happened by `start` belongs to the window before. */
export function isInside(at: Milliseconds, { start, end }: MeasureWindow): boolean {
  return at > start && at <= end;
}

/** What Prometheus tells targets apart by; `pod` may name what a metric speaks of instead. */
export function targetKey({ labels }: RawSeries): string {
  return `${labels['job'] ?? ''}\n${labels['instance'] ?? ''}`;
}
