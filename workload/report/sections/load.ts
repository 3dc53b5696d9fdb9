import { chart, table } from '../charts/chart-frame.js';
import { eventRate, type ClusterRate } from '../charts/event-rate.js';
import { countText, figures } from '../format.js';
import { html, type Html } from '../html.js';
import type { Section } from '../section.js';
import type { ReportCeiling, ReportCluster, ReportModel } from '../report-model.js';
import { legend } from './pieces.js';

/** Load achieved against asked, and the limiter's ceiling; undefined without any record of load. */
export function loadSection({ clusters, ceiling }: ReportModel): Section | undefined {
  const phases = [...new Set(clusters.flatMap((one) => one.stimuli.map((s) => s.phase)))];
  if (phases.length === 0) return undefined;
  const body = html`<p class="lead">${ceilingText(ceiling, clusters.length)}</p>
    ${phases.map((phase) => phaseChart(phase, clusters, ceiling))}
    ${legend([
      { name: 'achieved', key: 'series-0' },
      { name: 'below 90 % of what was asked', key: 'series-1' },
      { name: 'asked', key: 'ink', stroke: true },
      ...(ceiling === undefined
        ? []
        : [
            {
              name: 'ceiling of the limiters',
              key: 'limit',
              stroke: true,
              dash: 'dashed',
            } as const,
          ]),
    ])}`;
  return { id: 'load', title: 'Load and ceiling', body };
}

function phaseChart(
  phase: string,
  clusters: readonly ReportCluster[],
  ceiling: ReportCeiling | undefined,
): Html {
  const rates = clusters.map(({ role, stimuli }): ClusterRate => {
    const own = stimuli.find((one) => one.phase === phase);
    return { cluster: role, asked: own?.asked ?? null, achieved: own?.achieved ?? null };
  });
  const known = rates.flatMap(({ achieved }) => achieved ?? []);
  const range =
    known.length === 0
      ? 'unknown'
      : `${figures(Math.min(...known))} to ${figures(Math.max(...known))} per second`;
  return html`<h3>Phase ${phase}</h3>
    ${chart({
      label: `Changes per second of each cluster in phase ${phase}: ${range}.`,
      draw: (width) => eventRate(rates, ceiling, width),
      table: table(
        `Load in phase ${phase}`,
        ['Cluster', 'asked', 'achieved', 'ratio'],
        rates.map(({ cluster, asked, achieved }) => [
          cluster,
          asked === null ? 'no limit' : `${figures(asked)}/s`,
          achieved === null ? 'unknown' : `${figures(achieved)}/s`,
          asked === null || achieved === null ? '–' : `${figures((achieved / asked) * 100)} %`,
        ]),
      ),
    })}`;
}

function ceilingText(ceiling: ReportCeiling | undefined, clusters: number): string {
  if (ceiling === undefined) {
    return 'Changes that each cluster made, against what was asked. The limiters’ rates are not known here, so no ceiling is drawn.';
  }
  const { exporterPerSecond, kvstoremeshPerSecond, perSecond, binding } = ceiling;
  const share = `kvstoremesh ${figures(kvstoremeshPerSecond)}/s shared by ${countText(clusters - 1, 'peer')}`;
  return `Each cluster can export ${figures(perSecond)} changes per second for ever: the smaller of exporter ${figures(exporterPerSecond)}/s and ${share}. Here ${binding} binds. More than that queues up and is seen late; a burst up to the limiter’s rate passes at once.`;
}
