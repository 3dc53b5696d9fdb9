import { html } from '../html.js';
import type { Section } from '../section.js';
import type { ReportModel } from '../report-model.js';

/** Links to the raw files, relative, so that a moved folder still works. */
export function filesSection({ files }: ReportModel): Section | undefined {
  if (files.length === 0) return undefined;
  const top = files.filter((file) => !file.startsWith('clusters/'));
  const clusters = files.filter((file) => file.startsWith('clusters/'));
  const list = (names: readonly string[]) =>
    html`<ul class="files">
      ${names.map((name) => html`<li><a href="${encodeURI(name)}">${name}</a></li>`)}
    </ul>`;
  const body = html`${list(top)}
  ${
    clusters.length === 0
      ? undefined
      : html`<details>
          <summary>Show ${clusters.length} files of clusters</summary>
          ${list(clusters)}
        </details>`
  }`;
  return { id: 'files', title: 'Raw files', body };
}
