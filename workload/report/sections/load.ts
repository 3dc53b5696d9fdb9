import { chart, table } from '../charts/chart-frame.js';
import { eventRate, type ClusterRate, type RateLine } from '../charts/event-rate.js';
import { countText, figures, timeText } from '../format.js';
import { html, type Html } from '../html.js';
import type {
  ReportCeiling,
  ReportCluster,
  ReportDemand,
  ReportLimiter,
  ReportModel,
} from '../report-model.js';
import type { Section } from '../section.js';
import { legend } from './pieces.js';

/** Load achieved against asked, and the limiters' ceiling; undefined without any record of load. */
export function loadSection(model: ReportModel): Section | undefined {
  const { clusters, ceiling, demands, limiters } = model;
  const phases = [...new Set(clusters.flatMap((one) => one.stimuli.map((s) => s.phase)))];
  if (phases.length === 0 && limiters.length === 0) return undefined;
  const body = html`<p class="lead">${ceilingText(ceiling, clusters.length)}</p>
    ${demands.map((demand) => html`<p>${demandText(demand)}</p>`)}
    ${phases.map((phase) => phaseChart(phase, clusters))}
    ${limiters.map((limiter) => limiterChart(limiter, ceiling))}
    ${legend([
      { name: 'achieved (limiters: mean, and lighter the peak)', key: 'series-0' },
      { name: 'below 90 % of what was asked', key: 'series-1' },
      { name: 'asked', key: 'ink', stroke: true },
      { name: 'limit', key: 'limit', stroke: true, dash: 'dashed' },
    ])}`;
  return { id: 'load', title: 'Load and ceiling', body };
}

function phaseChart(phase: string, clusters: readonly ReportCluster[]): Html {
  const own = clusters.map(({ role, stimuli }) => ({
    role,
    stimulus: stimuli.find((one) => one.phase === phase),
  }));
  const rates = own.map(({ role, stimulus }): ClusterRate => ({
    cluster: role,
    asked: stimulus?.asked ?? null,
    achieved: stimulus?.achieved ?? null,
  }));
  const unit = own.find(({ stimulus }) => stimulus !== undefined)?.stimulus?.unit ?? '1/s';
  const caption = html`What the engine wrote to the API server of each cluster. The limiters count
  keys, so they set no limit here.`;
  return rateChart({ title: `Phase ${phase}, ${unit}`, rates, caption });
}

/** The one comparison in one unit: operations on etcd against the limiter of operations on etcd. */
function limiterChart(
  { stage, rates, limit }: ReportLimiter,
  ceiling: ReportCeiling | undefined,
): Html {
  const { title, counts } = STAGES[stage];
  const line = limit === undefined ? undefined : { perSecond: limit, name: `limit of ${stage}` };
  const binds = ceiling?.binding === stage ? bindingText(rates, limit) : '';
  const none = limit === undefined ? ' Its limit is not known on this target.' : '';
  const caption = html`${counts} Mean over the measurement’s window, peak between two
  scrapes.${binds}${none}`;
  return rateChart({ title, rates, line, caption });
}

/** A limiter that was never near its limit held nothing up, whatever the arithmetic says. */
function bindingText(rates: readonly ClusterRate[], limit: number | undefined): string {
  const peak = Math.max(...rates.flatMap((one) => one.peak ?? one.achieved ?? []));
  if (limit === undefined || !Number.isFinite(peak)) return ' This is the limit that binds first.';
  return peak >= NEAR * limit
    ? ' This is the limit that binds first, and it was reached.'
    : ` This limit would bind first, but was not reached (${figures(peak)} of ${figures(limit)}/s): what came late waited elsewhere, on a busy machine for its CPU.`;
}

/** Our choice: scrapes are seconds apart, so a limiter at its limit shows a little less. */
const NEAR = 0.9;

const STAGES: Readonly<
  Record<ReportLimiter['stage'], { readonly title: string; readonly counts: string }>
> = {
  exporter: {
    title: 'Exported by each cluster, operations on etcd per second',
    counts: 'Operations of clustermesh-apiserver on its own etcd: a changed key is one.',
  },
  kvstoremesh: {
    title: 'Taken in from all peers, operations on etcd per second',
    counts: 'Operations of kvstoremesh on its cache, for all peers together: a changed key is one.',
  },
};

function rateChart(options: {
  readonly title: string;
  readonly rates: readonly ClusterRate[];
  readonly line?: RateLine | undefined;
  readonly caption: Html;
}): Html {
  const { title, rates, line, caption } = options;
  const known = rates.flatMap(({ achieved }) => achieved ?? []);
  const range =
    known.length === 0
      ? 'unknown'
      : `${figures(Math.min(...known))} to ${figures(Math.max(...known))} per second`;
  const limit = line === undefined ? '' : `, ${line.name} ${figures(line.perSecond)} per second`;
  const peaks = rates.some(({ peak }) => peak !== undefined);
  const heads = peaks ? ['Cluster', 'mean', 'peak'] : ['Cluster', 'asked', 'achieved', 'ratio'];
  return html`<h3>${title}</h3>
    ${chart({
      label: `${title}, for each cluster: ${range}${limit}.`,
      draw: (width) => eventRate(rates, line, width),
      caption,
      table: table(title, heads, rates.map(peaks ? peakRow : rateRow)),
    })}`;
}

function peakRow({ cluster, achieved, peak }: ClusterRate): readonly string[] {
  return [cluster, perSecond(achieved), perSecond(peak ?? null)];
}

function perSecond(value: number | null): string {
  return value === null ? 'unknown' : `${figures(value)}/s`;
}

function demandText({ phase, pods, keys, drainSeconds }: ReportDemand): string {
  const owed = `Phase ${phase} replaces ${figures(pods)} pods in each cluster: at least ${figures(keys)} changed keys`;
  return drainSeconds === undefined
    ? `${owed}.`
    : `${owed}, which need ${timeText(drainSeconds * 1000)} at these limits, however fast they are written.`;
}

function rateRow({ cluster, asked, achieved }: ClusterRate): readonly string[] {
  return [
    cluster,
    asked === null ? '–' : perSecond(asked),
    perSecond(achieved),
    asked === null || achieved === null ? '–' : `${figures((achieved / asked) * 100)} %`,
  ];
}

function ceilingText(ceiling: ReportCeiling | undefined, clusters: number): string {
  if (ceiling === undefined) {
    return 'Changes that each cluster made, against what was asked. The limiters’ rates are not known here, so no ceiling is drawn.';
  }
  const { exporterPerSecond, kvstoremeshPerSecond, perSecond, binding } = ceiling;
  const share = `kvstoremesh ${figures(kvstoremeshPerSecond)}/s shared by ${countText(clusters - 1, 'peer')}`;
  return `Each cluster can export ${figures(perSecond)} keys per second for ever (a replaced pod is two keys or more): the smaller of exporter ${figures(exporterPerSecond)}/s and ${share}. Here ${binding} binds first. More than that queues up and is seen late; a burst up to the limiter’s rate passes at once.`;
}
