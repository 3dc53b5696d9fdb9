import type {
  CounterQuery,
  GaugeQuery,
  MeasurementQuery,
  PromqlQuery,
} from '../../model/measurement-spec.js';
import { joinAcross, reduceOver } from './aggregate.js';
import { evaluateHistogram } from './evaluate-histogram.js';
import { groupBy } from './group-by.js';
import { growthSteps, totalGrowth, type GrowthStep } from './growth.js';
import { absent, present, type Finding } from './measured-value.js';
import type { RawSeries } from './prometheus-source.js';
import { fromSamples, type QuerySetting, type SeriesGroup } from './series-groups.js';
import { renderExpression, windowText } from './selector.js';
import { isInside, targetKey } from './target-history.js';

/** One finding for each combination of the query's labels; at least one. Never throws for an answer. */
export async function evaluateQuery(
  query: MeasurementQuery,
  setting: QuerySetting,
): Promise<readonly Finding[]> {
  switch (query.kind) {
    case 'counter':
      return fromSamples(query.metric, query, setting, (group) => counterFinding(query, group));
    case 'gauge':
      return fromSamples(query.metric, query, setting, (group) => gaugeFinding(query, group));
    case 'histogram':
      return evaluateHistogram(query, setting);
    case 'promql':
      return evaluatePromql(query, setting);
  }
}

function counterFinding(query: CounterQuery, group: SeriesGroup): Finding {
  const { basis, series, setting } = group;
  const { window, histories, scale } = setting;
  const grown = series
    .map((one) => ({ one, steps: growthSteps(one, window, histories.of(one)) }))
    .filter(({ steps }) => steps.length > 0);
  const seconds = (window.end - window.start) / 1_000;
  const perSeries = grown.map(({ steps }) => totalGrowth(steps));
  const across = query.across ?? 'sum';
  const joined =
    query.take === 'peak-rate'
      ? joinAcross(peakRates(grown), query.across ?? 'max')
      : joinAcross(perSeries, across);
  if (joined === undefined) return absent('missing', NOTHING_INSIDE, basis);
  return present(basis, scale * (query.take === 'rate' ? joined / seconds : joined));
}

/** The highest rate between two scrapes of each target, over all its series together. */
function peakRates(
  grown: readonly { readonly one: RawSeries; readonly steps: readonly GrowthStep[] }[],
): readonly number[] {
  const targets = new Map<string, Map<number, { gained: number; from: number }>>();
  for (const { one, steps } of grown) {
    const scrapes =
      targets.get(targetKey(one)) ?? new Map<number, { gained: number; from: number }>();
    targets.set(targetKey(one), scrapes);
    for (const { from, to, gained } of steps) {
      const known = scrapes.get(to);
      scrapes.set(to, {
        gained: (known?.gained ?? 0) + gained,
        from: Math.max(known?.from ?? from, from),
      });
    }
  }
  return [...targets.values()].flatMap((scrapes) => {
    const rates = [...scrapes]
      .filter(([to, { from }]) => to > from)
      .map(([to, { from, gained }]) => (gained * 1_000) / (to - from));
    const peak = reduceOver(rates, 'max');
    return peak === undefined ? [] : [peak];
  });
}

function gaugeFinding(query: GaugeQuery, { basis, series, setting }: SeriesGroup): Finding {
  const samples = series.map((one) =>
    one.samples.filter(({ at, value }) => isInside(at, setting.window) && Number.isFinite(value)),
  );
  if (samples.flat().length === 0) return absent('empty', 'every sample is NaN or infinite', basis);
  const value =
    query.first === 'series'
      ? reduceOver(joinedAtEachScrape(query, samples), query.over)
      : joinAcross(
          samples.flatMap(
            (one) =>
              reduceOver(
                one.map((sample) => sample.value),
                query.over,
              ) ?? [],
          ),
          query.across,
        );
  if (value === undefined) return absent('missing', NOTHING_INSIDE, basis);
  return present(basis, setting.scale * value);
}

/** The series joined at each moment of a scrape, in the order of time. */
function joinedAtEachScrape(
  query: GaugeQuery,
  samples: readonly (readonly { readonly at: number; readonly value: number }[])[],
): readonly number[] {
  const moments = groupBy(samples.flat(), ({ at }) => String(at));
  return [...moments]
    .sort(([a], [b]) => Number(a) - Number(b))
    .flatMap(
      ([, values]) =>
        joinAcross(
          values.map(({ value }) => value),
          query.across,
        ) ?? [],
    );
}

async function evaluatePromql(
  query: PromqlQuery,
  setting: QuerySetting,
): Promise<readonly Finding[]> {
  const { window, reader } = setting;
  const length = windowText(window.end - window.start);
  const answer = await reader.atEnd(renderExpression(query, { ...setting, window: length }));
  if (!answer.ok) return [absent('missing', answer.reason)];
  const by = query.by ?? [];
  if (answer.series.length === 0) return [absent('missing', 'the expression gives no series')];
  if (answer.series.length > 1 && by.length === 0) {
    const count = answer.series.length;
    return [absent('missing', `the expression gives ${count} series where one is due`)];
  }
  return answer.series.map((series) => {
    const labels = Object.fromEntries(by.map((label) => [label, series.labels[label] ?? '']));
    const basis = { labels, samples: series.samples.length, series: 1 };
    return present(basis, series.samples.at(-1)?.value ?? Number.NaN);
  });
}

const NOTHING_INSIDE = 'no sample lies between the start and the end of the window';
