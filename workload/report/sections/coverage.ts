import { table } from '../charts/chart-frame.js';
import { countText } from '../format.js';
import { html, type Html } from '../html.js';
import type { Section } from '../section.js';
import type { ReportModel } from '../report-model.js';
import { tag } from './pieces.js';

/** What was measured of what should have been, and why the rest is not there. */
export function coverageSection({ coverage, problems }: ReportModel): Section {
  const gaps = gatherGaps(coverage);
  const all = coverage.clusters.flatMap((one) => one.measurements.map((m) => m.count));
  const expected = all.reduce((sum, one) => sum + one.expected, 0);
  const present = all.reduce((sum, one) => sum + one.present, 0);
  const unread = [...coverage.malformed, ...problems];
  const body = html`<p class="lead">
      ${present} of ${countText(expected, 'expected value')} are there, over
      ${countText(coverage.clusters.length, 'cluster')}.
      ${gaps.length === 0 ? 'Nothing is missing.' : 'What is not there, and why:'}
    </p>
    ${
      gaps.length === 0
        ? undefined
        : table(
            'Measurements without a value',
            ['Measurement', 'State', 'Clusters', 'Why'],
            gaps
              .slice(0, MOST)
              .map(({ measurement, state, clusters, reason }) => [
                measurement,
                tag(state),
                clusters.length > 3 ? `${clusters.length} clusters` : clusters.join(', '),
                reason,
              ]),
          )
    }
    ${fileList('Files that could not be read', unread)}
    ${fileList('Files that nobody knows; they were left alone', coverage.unknown)}`;
  return { id: 'coverage', title: 'Coverage', body };
}

interface Gap {
  readonly measurement: string;
  readonly state: string;
  readonly reason: string;
  readonly clusters: string[];
}

/** Our choice of how many lines a reader bears; coverage.json has them all. */
const MOST = 100;

function gatherGaps({ clusters }: ReportModel['coverage']): readonly Gap[] {
  const gaps = new Map<string, Gap>();
  for (const { cluster, measurements } of clusters) {
    for (const { measurement, state, reason, count } of measurements) {
      if (state === 'present' && count.present >= count.expected) continue;
      const why = reason ?? `${count.present} of ${count.expected} values`;
      const shown = state === 'present' ? 'partly' : state;
      const key = JSON.stringify([measurement, shown, why]);
      const gap = gaps.get(key) ?? { measurement, state: shown, reason: why, clusters: [] };
      gap.clusters.push(cluster);
      gaps.set(key, gap);
    }
  }
  const rank = (state: string) => ['missing', 'empty', 'partly', 'not-applicable'].indexOf(state);
  return [...gaps.values()].sort((a, b) => rank(a.state) - rank(b.state));
}

function fileList(title: string, files: readonly string[]): Html | undefined {
  if (files.length === 0) return undefined;
  return html`<h3>${title}</h3>
    <ul class="plain">
      ${files.slice(0, MOST).map((file) => html`<li><code>${file}</code></li>`)}
    </ul>`;
}
