import { chart, table } from '../charts/chart-frame.js';
import { eventRate, type ClusterRate, type RateLine } from '../charts/event-rate.js';
import { countText, figures } from '../format.js';
import { html, type Html } from '../html.js';
import type { ReportCeiling, ReportCluster, ReportModel } from '../report-model.js';
import type { Section } from '../section.js';
import { legend } from './pieces.js';

/** Load achieved against asked, and the limiters' ceiling; undefined without any record of load. */
export function loadSection({ clusters, ceiling, eventRates }: ReportModel): Section | undefined {
  const phases = [...new Set(clusters.flatMap((one) => one.stimuli.map((s) => s.phase)))];
  if (phases.length === 0 && eventRates.length === 0) return undefined;
  const body = html`<p class="lead">${ceilingText(ceiling, clusters.length)}</p>
    ${phases.map((phase) => phaseChart(phase, clusters, ceiling))}
    ${eventRates.length === 0 ? undefined : eventsChart(eventRates, ceiling)}
    ${legend([
      { name: 'achieved', key: 'series-0' },
      { name: 'below 90 % of what was asked', key: 'series-1' },
      { name: 'asked', key: 'ink', stroke: true },
      { name: 'limit', key: 'limit', stroke: true, dash: 'dashed' },
    ])}`;
  return { id: 'load', title: 'Load and ceiling', body };
}

/** Units in which a rate can be held against the limiters: they count keys. */
const KEY_UNITS: ReadonlySet<string> = new Set(['1/s', 'keys/s', 'changes/s', 'events/s']);

function phaseChart(
  phase: string,
  clusters: readonly ReportCluster[],
  ceiling: ReportCeiling | undefined,
): Html {
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
  const comparable = ceiling !== undefined && KEY_UNITS.has(unit);
  const line = comparable ? { perSecond: ceiling.perSecond, name: 'ceiling' } : undefined;
  return rateChart(`Phase ${phase}, ${unit}`, rates, line);
}

function eventsChart(rates: readonly ClusterRate[], ceiling: ReportCeiling | undefined): Html {
  const perSecond = ceiling?.kvstoremeshPerSecond;
  const line = perSecond === undefined ? undefined : { perSecond, name: 'limit of kvstoremesh' };
  return rateChart('Changes of its peers that each cluster took in, mean per second', rates, line);
}

function rateChart(title: string, rates: readonly ClusterRate[], line: RateLine | undefined): Html {
  const known = rates.flatMap(({ achieved }) => achieved ?? []);
  const range =
    known.length === 0
      ? 'unknown'
      : `${figures(Math.min(...known))} to ${figures(Math.max(...known))} per second`;
  return html`<h3>${title}</h3>
    ${chart({
      label: `${title}, for each cluster: ${range}.`,
      draw: (width) => eventRate(rates, line, width),
      table: table(title, ['Cluster', 'asked', 'achieved', 'ratio'], rates.map(rateRow)),
    })}`;
}

function rateRow({ cluster, asked, achieved }: ClusterRate): readonly string[] {
  return [
    cluster,
    asked === null ? '–' : `${figures(asked)}/s`,
    achieved === null ? 'unknown' : `${figures(achieved)}/s`,
    asked === null || achieved === null ? '–' : `${figures((achieved / asked) * 100)} %`,
  ];
}

function ceilingText(ceiling: ReportCeiling | undefined, clusters: number): string {
  if (ceiling === undefined) {
    return 'Changes that each cluster made, against what was asked. The limiters’ rates are not known here, so no ceiling is drawn.';
  }
  const { exporterPerSecond, kvstoremeshPerSecond, perSecond, binding } = ceiling;
  const share = `kvstoremesh ${figures(kvstoremeshPerSecond)}/s shared by ${countText(clusters - 1, 'peer')}`;
  return `Each cluster can export ${figures(perSecond)} keys per second for ever (a replaced pod is two keys or more): the smaller of exporter ${figures(exporterPerSecond)}/s and ${share}. Here ${binding} binds. More than that queues up and is seen late; a burst up to the limiter’s rate passes at once.`;
}
