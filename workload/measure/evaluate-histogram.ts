import type { HistogramQuery } from '../../model/measurement-spec.js';
import { groupBy } from './group-by.js';
import { growthSteps, totalGrowth } from './growth.js';
import { histogramQuantile, overflowShare, type Bucket } from './histogram.js';
import { absent, present, type Finding } from './measured-value.js';
import type { RawSeries } from './prometheus-source.js';
import {
  fromSamples,
  type KnownSetting,
  type QuerySetting,
  type SeriesGroup,
} from './series-groups.js';

/** A quantile, mean, count or overflow share of all observations of the window, whole and alone. */
export async function evaluateHistogram(
  query: HistogramQuery,
  setting: QuerySetting,
): Promise<readonly Finding[]> {
  const { metric, take } = query;
  if (take === 'count') {
    return fromSamples(`${metric}_count`, query, setting, (group) =>
      present(group.basis, grownBy(group.series, group.setting)),
    );
  }
  if (take === 'mean') return meanFindings(query, setting);
  return fromSamples(`${metric}_bucket`, query, setting, (group) =>
    take === 'overflow' ? overflowFinding(group) : quantileFinding(group, take.quantile),
  );
}

async function meanFindings(
  query: HistogramQuery,
  setting: QuerySetting,
): Promise<readonly Finding[]> {
  const sums = await setting.reader.samples(`${query.metric}_sum`, query.where);
  if (!sums.ok) return [absent('missing', sums.reason)];
  const by = query.by ?? [];
  return fromSamples(`${query.metric}_count`, query, setting, (group) => {
    const { basis, series, setting: known } = group;
    const count = grownBy(series, known);
    if (count <= 0) return absent('empty', NO_OBSERVATION, basis);
    const same = sums.series.filter(({ labels }) =>
      by.every((label) => (labels[label] ?? '') === basis.labels[label]),
    );
    return present(basis, (known.scale * grownBy(same, known)) / count);
  });
}

function quantileFinding({ basis, series, setting }: SeriesGroup, quantile: number): Finding {
  const buckets = grownBuckets(series, setting);
  const found = histogramQuantile(buckets, quantile);
  if (found === undefined) return absent('empty', NO_OBSERVATION, basis);
  const value = setting.scale * found.value;
  if (!found.saturated) return present(basis, value);
  const share = ((overflowShare(buckets) ?? 0) * 100).toFixed(1);
  return present(
    basis,
    value,
    `at least this: ${share} % of the observations lie beyond the last finite bucket`,
  );
}

function overflowFinding({ basis, series, setting }: SeriesGroup): Finding {
  const share = overflowShare(grownBuckets(series, setting));
  return share === undefined ? absent('empty', NO_OBSERVATION, basis) : present(basis, share);
}

/** What each bucket gained in the window, over all series. */
function grownBuckets(series: readonly RawSeries[], setting: KnownSetting): readonly Bucket[] {
  const edges = groupBy(series, ({ labels }) => labels['le'] ?? '');
  return [...edges].map(([le, members]) => ({
    upTo: le === '+Inf' ? Infinity : Number(le),
    count: grownBy(members, setting),
  }));
}

function grownBy(series: readonly RawSeries[], { window, histories }: KnownSetting): number {
  return series
    .map((one) => totalGrowth(growthSteps(one, window, histories.of(one))))
    .reduce((sum, grown) => sum + grown, 0);
}

const NO_OBSERVATION = 'no observation was made in the window';
