import type { MeasurementSource } from '../../model/measurement-spec.js';
import type { Milliseconds } from '../../model/quantity.js';
import type { PrometheusAnswer, PrometheusSource } from './prometheus-source.js';
import { selectorText, windowText, type SeriesSelection } from './selector.js';
import { targetHistories, type MeasureWindow, type TargetHistories } from './target-history.js';

/** Reads raw samples of one component around one window; each selector is asked for once. */
export interface RawReader {
  /** Samples of the window and of some time before it, where counters stood at its start. */
  samples(metric: string, where: string | undefined): Promise<PrometheusAnswer>;
  /** The value of an expression at the end of the window. */
  atEnd(expression: string): Promise<PrometheusAnswer>;
  histories(): Promise<TargetHistories>;
}

/** A Prometheus, and how the cluster's series are found in it. */
export interface RawAccess {
  readonly source: PrometheusSource;
  readonly selection: SeriesSelection;
  readonly signal?: AbortSignal | undefined;
}

/** A reader of `component`'s samples around `window`. */
export function rawReader(
  { source, selection, signal }: RawAccess,
  component: MeasurementSource,
  window: MeasureWindow,
): RawReader {
  const answers = new Map<string, Promise<PrometheusAnswer>>();
  const once = (expression: string): Promise<PrometheusAnswer> => {
    const known = answers.get(expression);
    if (known !== undefined) return known;
    const answer = source.instant(expression, window.end, signal);
    answers.set(expression, answer);
    return answer;
  };
  const range = windowText(window.end - window.start + LOOK_BACK);
  const samples = (metric: string, where: string | undefined): Promise<PrometheusAnswer> =>
    once(`${selectorText(metric, where, { selection, source: component })}[${range}]`);
  return {
    samples,
    atEnd: once,
    histories: async () => {
      const up = await samples('up', undefined);
      const starts = await samples('process_start_time_seconds', undefined);
      return targetHistories(up.ok ? up.series : [], starts.ok ? starts.series : []);
    },
  };
}

/** Ours: three of the longest scrape interval that is in use (30 s), to find a counter's last value. */
const LOOK_BACK: Milliseconds = 90_000;
