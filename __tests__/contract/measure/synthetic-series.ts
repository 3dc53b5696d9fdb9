import type { MeasurementQuery, MeasurementSource } from '../../../model/measurement-spec.js';
import { checkPromql, type LabelMatcher } from '../../../workload/measure/promql.js';
import type { WrittenSeries } from '../../helpers/remote-write.js';

/** A scrape every ten seconds, numbered from 0; the window takes in scrapes 7 … 18. */
export const T0 = Date.UTC(2026, 0, 1);
export const WINDOW = { start: T0 + 60_000, end: T0 + 180_000 };
const SCRAPES = Array.from({ length: 21 }, (_, index) => index);

/**
 * Series that a query can be answered from, in a cluster of its own: the data of all other queries
 * are decoys. Target `one` has a long past, a restart at scrape 12 and a NaN; `two` is born at scrape
 * 10 with its first event.
 */
export function syntheticSeries(
  query: MeasurementQuery,
  source: MeasurementSource,
  cluster: string,
): readonly WrittenSeries[] {
  const stamp = { cluster, component: source };
  const scrapes = ['one', 'two'].map((instance) => ({
    labels: { __name__: 'up', ...stamp, instance },
    samples: SCRAPES.map((scrape) => [at(scrape), 1] as const),
  }));
  const series = seriesFor(query).map(({ labels, samples }) => ({
    labels: { ...stamp, ...labels },
    samples,
  }));
  return [...scrapes, ...unique(series)];
}

/** An expression may read one series twice. */
function unique(series: readonly WrittenSeries[]): readonly WrittenSeries[] {
  return [...new Map(series.map((one) => [JSON.stringify(one.labels), one])).values()];
}

function seriesFor(query: MeasurementQuery): readonly WrittenSeries[] {
  switch (query.kind) {
    case 'counter':
      return withDecoy(query.metric, query.where, counterSamples);
    case 'gauge':
      return withDecoy(query.metric, query.where, gaugeSamples);
    case 'histogram':
      return [
        ...BUCKETS.flatMap(({ le, step, born }) =>
          withDecoy(`${query.metric}_bucket`, query.where, histogramSamples(step, born), { le }),
        ),
        ...withDecoy(`${query.metric}_count`, query.where, histogramSamples(4, 2)),
        ...withDecoy(`${query.metric}_sum`, query.where, histogramSamples(2.5, 0.2)),
      ];
    case 'promql': {
      const checked = checkPromql(
        query.expr.replaceAll('$selector', '').replaceAll('$window', '2m'),
      );
      if (!checked.ok) throw new Error(checked.problem);
      return checked.selectors.flatMap(({ metric = '', matchers }) =>
        plainSeries(metric, matchers),
      );
    }
  }
}

type Samples = (instance: string) => WrittenSeries['samples'];

/** Both targets, and a third series that the query's own matchers must leave out. */
function withDecoy(
  metric: string,
  where: string | undefined,
  samples: Samples,
  more: Readonly<Record<string, string>> = {},
): readonly WrittenSeries[] {
  const checked = checkPromql(`${metric}{${where ?? ''}}`);
  if (!checked.ok) throw new Error(checked.problem);
  const matchers = checked.selectors[0]?.matchers ?? [];
  const labels = (values: Readonly<Record<string, string>>, instance: string) => ({
    __name__: metric,
    ...more,
    ...values,
    instance,
  });
  const real = ['one', 'two'].map((instance) => ({
    labels: labels(valuesFor(matchers, true), instance),
    samples: samples(instance),
  }));
  if (matchers.length === 0) return real;
  return [...real, { labels: labels(valuesFor(matchers, false), 'one'), samples: samples('one') }];
}

function valuesFor(matchers: readonly LabelMatcher[], matching: boolean) {
  return Object.fromEntries(
    matchers.map((matcher) => [matcher.label, valueFor(matcher, matching)]),
  );
}

function valueFor({ operator, value }: LabelMatcher, matching: boolean): string {
  const positive = operator === '=' || operator === '=~';
  if (positive !== matching)
    return positive ? 'decoy' : matching ? 'other' : (value.split('|')[0] ?? '');
  return value.replace('.*', '0').split('|')[0] ?? '';
}

const at = (scrape: number): number => T0 + scrape * 10_000;

const counterSamples: Samples = (instance) =>
  instance === 'one'
    ? SCRAPES.map((scrape) => [at(scrape), scrape === 15 ? NaN : restarting(scrape, 1_000, 5, 3)])
    : SCRAPES.filter((scrape) => scrape >= 10).map((scrape) => [at(scrape), 7 + (scrape - 10) * 2]);

const gaugeSamples: Samples = (instance) =>
  SCRAPES.map((scrape) => [at(scrape), instance === 'one' ? scrape : scrape === 9 ? NaN : 4]);

/** +1, +3 and +4 observations a scrape; the second target has two small ones when it is born. */
const BUCKETS = [
  { le: '0.1', step: 1, born: 2 },
  { le: '1', step: 3, born: 2 },
  { le: '+Inf', step: 4, born: 2 },
] as const;

function histogramSamples(step: number, born: number): Samples {
  return (instance) =>
    instance === 'one'
      ? SCRAPES.map((scrape) => [at(scrape), restarting(scrape, 500 * step, step, step)])
      : SCRAPES.filter((scrape) => scrape >= 10).map((scrape) => [at(scrape), born]);
}

/** Grows from `past` by `step`, and starts again with `first` at scrape 12. */
function restarting(scrape: number, past: number, step: number, first: number): number {
  return scrape < 12 ? past + scrape * step : first + (scrape - 12) * step;
}

/** For expressions: two pods (or peers), the first with twice the second. */
function plainSeries(metric: string, matchers: readonly LabelMatcher[]): readonly WrittenSeries[] {
  return [0, 1].map((number) => ({
    labels: {
      __name__: metric,
      ...Object.fromEntries(
        matchers.filter(({ label }) => label === 'container').map(({ label }) => [label, 'etcd']),
      ),
      pod: `clustermesh-apiserver-${number}`,
      target_cluster: `mesh-00${number + 2}`,
      instance: 'one',
    },
    samples: SCRAPES.map((scrape) => [at(scrape), plainValue(metric, number, scrape)]),
  }));
}

function plainValue(metric: string, number: number, scrape: number): number {
  if (metric.endsWith('_readiness_status')) return 1 - number;
  if (metric.endsWith('_total')) return scrape * (number === 0 ? 10 : 5);
  return number === 0 ? 100 : 50;
}
