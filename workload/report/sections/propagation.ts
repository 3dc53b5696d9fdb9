import { ecdf, SERIES_COLOURS, type EcdfMark } from '../charts/ecdf.js';
import { chart, table } from '../charts/chart-frame.js';
import { heatMap } from '../charts/heat-map.js';
import { countText, timeText } from '../format.js';
import { html, type Html } from '../html.js';
import type { Section } from '../section.js';
import { quantiles } from '../../../model/percentiles.js';
import type { ReportModel, ReportSeries } from '../report-model.js';
import { legend } from './pieces.js';

/** How long changes took to be seen in the peers; undefined when no probe was made. */
export function propagationSection(model: ReportModel): Section | undefined {
  const { appeared, links, clusters } = model;
  if (appeared.length === 0) return undefined;
  const asked = appeared.reduce((sum, one) => sum + one.asked, 0);
  const seen = appeared.reduce((sum, one) => sum + one.times.length, 0);
  const roles = clusters.map((cluster) => cluster.role);
  const slowest = [...links].sort((a, b) => (b.times?.p99 ?? 0) - (a.times?.p99 ?? 0))[0];
  const probes = [...new Set(appeared.map(({ probe }) => probe))];
  const body = html`<p class="lead">
      Watches on every peer are open before the change is made, and one clock times both ends.
      ${seen} of ${countText(asked, 'observation')} (probe × peer) were seen within their budget.
    </p>
    ${probes.map((probe) => distribution(probe, model))}
    <h3>By source and peer</h3>
    ${chart({
      label: `Propagation p99 of each directed pair.${slowest?.times === undefined ? '' : ` Slowest: ${slowest.source} to ${slowest.target}, ${timeText(slowest.times.p99)}.`}`,
      draw: (width) => heatMap(roles, links, width),
      caption: html`p99 of each directed pair over all probes; darker (in dark mode: lighter) is
      slower.`,
      table: linkTable(links),
    })}`;
  return { id: 'propagation', title: 'Propagation', body };
}

/** Rules and the numbers before it are about what appears; what goes away takes another, longer path. */
function removalText(removed: readonly ReportSeries[]): string {
  const all = quantiles(removed.flatMap((one) => one.times));
  return all === undefined
    ? ''
    : ` Removals are not counted in that: half within ${timeText(all.p50)}, the slowest after ${timeText(all.max)}.`;
}

/** One series of probes has its own load and its own limit, so it has a picture of its own. */
function distribution(probe: string, model: ReportModel): Html {
  const of = (series: readonly ReportSeries[]) => series.filter((one) => one.probe === probe);
  const [appeared, removed] = [of(model.appeared), of(model.removed)];
  const series = [...appeared, ...removed.map((one) => ({ ...one, name: `${one.name} removed` }))];
  const all = quantiles(appeared.flatMap((one) => one.times));
  const text =
    all === undefined
      ? 'None was seen.'
      : `Half of the changes were seen within ${timeText(all.p50)}, 99 % within ${timeText(all.p99)}.${removalText(removed)}`;
  return html`<h3>${probe === '' ? 'Distribution' : `Probes “${probe}”`}</h3>
    <p>${text}</p>
    ${chart({
      label: `Probes ${probe}: share of observations seen within a time. ${text}`,
      draw: (width) => ecdf(series, marksOf(probe, model), width),
      caption: html`Read: so much of all observations (height) was seen within so much time (across,
      logarithmic).${floorText(model)}`,
      table: seriesTable(series),
    })}
    ${legend(series.map(({ name }, index) => ({ name, key: `series-${index % SERIES_COLOURS}`, stroke: true })))}`;
}

function marksOf(probe: string, { floor, verdict }: ReportModel): readonly EcdfMark[] {
  const rule = verdict.rules.find((one) => one.id.startsWith(`propagation-${probe}-p`));
  const limit = rule?.limit ?? undefined;
  return [
    ...(floor === undefined
      ? []
      : [{ at: floor.p50, text: `tool’s own ${timeText(floor.p50)}`, kind: 'floor' } as const]),
    ...(limit === undefined
      ? []
      : [{ at: limit, text: `limit ${timeText(limit)}`, kind: 'limit' } as const]),
  ];
}

function floorText({ floor }: ReportModel): string {
  if (floor === undefined) return ' The tool’s own share was not measured in this run.';
  return ` The tool’s own share, measured in the same run, is ${timeText(floor.p50)} (p50) to ${timeText(floor.p99)} (p99) and is not subtracted.`;
}

function seriesTable(series: readonly ReportSeries[]): Html {
  return table(
    'Propagation by what was observed',
    ['Observed', 'p50', 'p90', 'p99', 'max', 'seen', 'asked'],
    series.map(({ name, times, asked }) => {
      const found = quantiles(times);
      const cells =
        found === undefined
          ? ['–', '–', '–', '–']
          : [found.p50, found.p90, found.p99, found.max].map(timeText);
      return [name, ...cells, String(times.length), String(asked)];
    }),
  );
}

/** Our choice: the slowest pairs; all of them stand in rows.jsonl. */
const MOST_LINKS = 200;

function linkTable(links: ReportModel['links']): Html {
  const sorted = [...links].sort((a, b) => (b.times?.p99 ?? Infinity) - (a.times?.p99 ?? Infinity));
  return table(
    'Propagation by directed pair, slowest first',
    ['Pair', 'p50', 'p99', 'max', 'seen', 'asked'],
    sorted.slice(0, MOST_LINKS).map(({ source, target, times, seen, asked }) => {
      const cells =
        times === undefined ? ['–', '–', '–'] : [times.p50, times.p99, times.max].map(timeText);
      return [`${source} → ${target}`, ...cells, String(seen), String(asked)];
    }),
  );
}
