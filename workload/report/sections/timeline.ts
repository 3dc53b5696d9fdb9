import { chart, table } from '../charts/chart-frame.js';
import { PHASE_KINDS, timeline, timeRange } from '../charts/timeline.js';
import { countText, momentText, timeText } from '../format.js';
import { html, type Html } from '../html.js';
import type { Section } from '../section.js';
import type { ReportCluster, ReportModel } from '../report-model.js';
import { legend } from './pieces.js';

/** When which phase ran where; undefined when no phase was recorded anywhere. */
export function timelineSection({ clusters, marks }: ReportModel): Section | undefined {
  if (clusters.every((cluster) => cluster.phases.length === 0)) return undefined;
  const { start, end } = timeRange(clusters, marks);
  const skew = worstSkew(clusters);
  const skewText = skew === undefined ? '' : ` Phases started at most ${timeText(skew)} apart.`;
  const text = `${timeText(end - start)} from ${momentText(new Date(start).toISOString())}`;
  const kinds = PHASE_KINDS.filter((kind) =>
    clusters.some((one) => one.phases.some((p) => p.kind === kind)),
  );
  const body = html`<p class="lead">${text}.${skewText}${faults(marks.length)}</p>
    ${chart({
      label: `Timeline of the phases on each cluster: ${text}.${skewText}`,
      draw: (width) => timeline(clusters, marks, width),
      table: phaseTable(clusters, start),
    })}
    ${legend(kinds.map((kind) => ({ name: kind, key: kind })))}
    ${
      marks.length === 0
        ? undefined
        : html`<ul class="plain">
            ${marks.map(
              ({ at, text: what, cluster }) =>
                html`<li>
                  ${timeText(at - start)}: ${what}${cluster === undefined ? '' : ` on ${cluster}`}
                </li>`,
            )}
          </ul>`
    }`;
  return { id: 'timeline', title: 'Timeline', body };
}

function faults(count: number): string {
  return count === 0
    ? ' No fault was injected.'
    : ` ${countText(count, 'mark')} of faults and interruptions.`;
}

/** The largest distance between clusters at the start of one phase. */
function worstSkew(clusters: readonly ReportCluster[]): number | undefined {
  const starts = new Map<string, number[]>();
  for (const { name, start } of clusters.flatMap((cluster) => cluster.phases)) {
    starts.set(name, [...(starts.get(name) ?? []), Date.parse(start)]);
  }
  const skews = [...starts.values()].map((times) => Math.max(...times) - Math.min(...times));
  return skews.length === 0 || clusters.length < 2 ? undefined : Math.max(...skews);
}

/** Our choice: rows.jsonl has all. */
const MOST_ROWS = 200;

function phaseTable(clusters: readonly ReportCluster[], start: number): Html {
  const rows = clusters.flatMap(({ role, phases }) =>
    phases.map((phase) => [
      role,
      phase.name,
      phase.kind,
      timeText(Date.parse(phase.start) - start),
      timeText(Date.parse(phase.end) - Date.parse(phase.start)),
    ]),
  );
  const heads = ['Cluster', 'Phase', 'Kind', 'Starts after', 'Lasts'];
  return table('Phases', heads, rows.slice(0, MOST_ROWS));
}
