import type { MeasurementSource } from '../../model/measurement-spec.js';
import { groupBy } from './group-by.js';
import { absent, type Basis, type Finding } from './measured-value.js';
import type { RawSeries } from './prometheus-source.js';
import type { RawReader } from './raw-reader.js';
import type { SeriesSelection } from './selector.js';
import { isInside, type MeasureWindow, type TargetHistories } from './target-history.js';

/** What a query is evaluated on. */
export interface QuerySetting {
  readonly reader: RawReader;
  readonly source: MeasurementSource;
  readonly selection: SeriesSelection;
  readonly window: MeasureWindow;
  /** From the samples' unit to the measurement's. */
  readonly scale: number;
}

/** A setting in which the targets' scrapes are known. */
export interface KnownSetting extends QuerySetting {
  readonly histories: TargetHistories;
}

/** The series that share the labels which a query is split by. */
export interface SeriesGroup {
  readonly basis: Basis;
  readonly series: readonly RawSeries[];
  readonly setting: KnownSetting;
}

/**
 * Reads the raw samples of a metric, splits them by the query's labels and lets `judge` look at each
 * group. What stops that (no answer, no series, no scrape) becomes the one finding.
 */
export async function fromSamples(
  metric: string,
  query: { readonly where?: string | undefined; readonly by?: readonly string[] | undefined },
  setting: QuerySetting,
  judge: (group: SeriesGroup) => Finding,
): Promise<readonly Finding[]> {
  const answer = await setting.reader.samples(metric, query.where);
  if (!answer.ok) return [absent('missing', answer.reason)];
  const known = { ...setting, histories: await setting.reader.histories() };
  if (answer.series.length === 0) return [noSeries(metric, query.where, known)];
  if (samplesInside(answer.series, setting.window) === 0) return [noScrape(known)];
  const groups = groupsOf(answer.series, query.by ?? [], known);
  return worthTelling(groups.filter(({ basis }) => basis.samples > 0).map(judge));
}

/** One of many label combinations in which nothing happened is no finding, unless all are so. */
function worthTelling(findings: readonly Finding[]): readonly Finding[] {
  const [first] = findings;
  const told = findings.filter(({ state }) => state !== 'empty');
  return told.length === 0 && first !== undefined ? [{ ...first, labels: {} }] : told;
}

/** Samples within the window, of all the series. */
export function samplesInside(series: readonly RawSeries[], window: MeasureWindow): number {
  let count = 0; // hundreds of thousands for an API server's histograms
  for (const { samples } of series) {
    for (const { at } of samples) if (isInside(at, window)) count += 1;
  }
  return count;
}

/** Splits series by labels, sorted by them. */
export function groupsOf(
  series: readonly RawSeries[],
  by: readonly string[],
  setting: KnownSetting,
): readonly SeriesGroup[] {
  const groups = groupBy(series, ({ labels }) =>
    JSON.stringify(by.map((label) => labels[label] ?? '')),
  );
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, members]) => {
      const first = members[0]?.labels ?? {};
      const labels = Object.fromEntries(by.map((label) => [label, first[label] ?? '']));
      const samples = samplesInside(members, setting.window);
      return { basis: { labels, samples, series: members.length }, series: members, setting };
    });
}

/**
 * A labelled counter has no series before its first event, so a scraped target without one is
 * `empty`: not a zero, because a version that doesn't export the metric looks the same.
 */
function noSeries(metric: string, where: string | undefined, setting: KnownSetting): Finding {
  const name = where === undefined ? metric : `${metric}{${where}}`;
  const scrapes = setting.histories.scrapesIn(setting.window);
  if (scrapes === 0) {
    return absent('missing', `no series ${name}: ${setting.source} was not scraped in the window`);
  }
  return absent(
    'empty',
    `${setting.source} was scraped ${scrapes} times without a series ${name}: ` +
      'nothing happened that it counts, or this release does not export it',
  );
}

function noScrape({ window, source }: KnownSetting): Finding {
  const seconds = ((window.end - window.start) / 1_000).toFixed(1);
  return absent('missing', `${source} was not scraped within the window of ${seconds} s`);
}
