import { html } from '../html.js';
import type { Section } from '../section.js';
import type { ReportModel } from '../report-model.js';
import { groupedReasons } from '../words.js';

/** Every reason against the run and its clusters; undefined when there is none. */
export function failuresSection({ verdict }: ReportModel): Section | undefined {
  const all = [
    ...verdict.judgement.reasons,
    ...verdict.clusters.flatMap((cluster) => cluster.judgement.reasons),
  ];
  const groups = groupedReasons([
    ...new Map(all.map((one) => [JSON.stringify(one), one])).values(),
  ]);
  if (groups.length === 0) return undefined;
  const body = html`<ul class="reasons">
      ${groups.slice(0, MOST).map(
        ({ code, text, clusters, next }) =>
          html`<li>
            ${text} <code>${code}</code>
            ${clusters.length > 1 ? html`<br />${clusters.join(', ')}` : undefined}
            ${next === undefined ? undefined : html`<br /><span class="next-step">Next: ${next}.</span>`}
          </li>`,
      )}
    </ul>
    ${groups.length > MOST ? html`<p class="lead">${groups.length - MOST} more stand in verdict.json.</p>` : undefined}`;
  return { id: 'reasons', title: 'What is wrong', body };
}

/** Our choice: a page is read, a file is searched. */
const MOST = 40;
