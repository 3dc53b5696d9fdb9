import { momentText, timeText } from '../format.js';
import { html, type Html } from '../html.js';
import type { Section } from '../section.js';
import type { ReportModel } from '../report-model.js';
import { answerText, caveatText, meaningText, nextSteps, verdictFacts, whyText } from '../words.js';

/** The first screen: good or not, why, what next. */
export function verdictSection(model: ReportModel, sections: readonly Section[]): Html {
  const { verdict } = model.verdict.judgement;
  const caveat = caveatText(model);
  return html`<header id="content">
    <p class="kicker">
      meshscale · ${model.scenario} · ${momentText(model.startedAt)}${duration(model)}
    </p>
    <h1>${model.title}</h1>
    <p class="question">${model.question}</p>
    <div class="verdict ${verdict}" role="status">
      <p class="answer">
        <strong>${answerText(model)}</strong>
        <span>verdict: ${verdict} (${meaningText(model)})</span>
      </p>
      <p class="why">${whyText(model)}</p>
      <ul class="facts">
        ${verdictFacts(model).map(
          (fact) =>
            html`<li>
              <span class="state ${fact.tone}">${fact.state}</span>
              <span class="value">${fact.value}</span>
              <span class="text">${unbroken(fact.text)}</span>
            </li>`,
        )}
      </ul>
      <p class="next"><b>What next:</b> ${nextSteps(model).join('; ')}.</p>
      ${caveat === undefined ? undefined : html`<p class="caveat">${caveat} <a href="#limits">More</a></p>`}
    </div>
    <nav aria-label="Sections">
      <ul>
        ${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
      </ul>
    </nav>
  </header>`;
}

/** A limit stays in one piece: `≤` at the end of a line reads as nothing. */
function unbroken(text: string): string {
  return text.replace(/Asked: .*$/s, (asked) => asked.replaceAll(' ', '\u00A0'));
}

function duration({ startedAt, endedAt }: ReportModel): string {
  const span = endedAt === undefined ? Number.NaN : Date.parse(endedAt) - Date.parse(startedAt);
  return Number.isFinite(span) ? ` · ${timeText(span)}` : '';
}
