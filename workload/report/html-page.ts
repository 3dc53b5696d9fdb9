import { html, trusted, type Html } from './html.js';
import { PAGE_STYLE } from './page-style.js';
import type { ReportModel } from './report-model.js';
import type { Section } from './section.js';
import { clustersSection } from './sections/clusters.js';
import { controlPlaneSection } from './sections/control-plane.js';
import { coverageSection } from './sections/coverage.js';
import { limitsSection } from './sections/limits.js';
import { failuresSection } from './sections/failures.js';
import { filesSection } from './sections/files.js';
import { loadSection } from './sections/load.js';
import { propagationSection } from './sections/propagation.js';
import { timelineSection } from './sections/timeline.js';
import { verdictSection } from './sections/verdict.js';
import { answerText } from './words.js';

/**
 * The whole report as one file: no script, no request, light and dark, printable. What decides
 * stands first.
 */
export function reportPage(model: ReportModel): string {
  const sections = [
    failuresSection(model),
    clustersSection(model),
    timelineSection(model),
    propagationSection(model),
    loadSection(model),
    controlPlaneSection(model),
    coverageSection(model),
    limitsSection(model),
    filesSection(model),
  ].filter((section) => section !== undefined);
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="generator" content="meshscale" />
        <link rel="icon" href="data:," />
        <title>${answerText(model)}: ${model.scenario} · meshscale</title>
        <style>
          ${trusted(PAGE_STYLE)}
        </style>
      </head>
      <body>
        <a class="skip" href="#content">Skip to the verdict</a>
        ${verdictSection(model, sections)}
        <main>${sections.map(sectionMarkup)}</main>
        <footer>
          ${model.runId} · written by meshscale; all times are UTC · a run folder may be moved,
          links stay valid
        </footer>
      </body>
    </html>`;
  return tight(page.markup);
}

function sectionMarkup({ id, title, body }: Section): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}</h2>
    ${body}
  </section>`;
}

/** Indentation of the templates is a third of a large page; nothing here is preformatted. */
function tight(markup: string): string {
  return `${markup
    .replace(/\n\s+/g, '\n')
    .replace(/\n{2,}/g, '\n')
    .trim()}\n`;
}
