import { html, trusted, type Html } from '../html.js';

/** A drawing for one width, in CSS pixels: `<svg …>…</svg>`. */
export type Draw = (width: number) => string;

/** Widths that fit a phone and the page's column. */
const WIDTHS = { narrow: 340, wide: 840 } as const;

/**
 * A chart with its caption and the table behind it. It is drawn twice and the style sheet shows the
 * one that fits, so that text stays legible on a phone without any script.
 */
export function chart(options: {
  /** What it shows, in a sentence: read aloud in place of the picture. */
  readonly label: string;
  readonly draw: Draw;
  readonly caption?: Html | undefined;
  readonly table: Html;
}): Html {
  const { label, draw, caption, table } = options;
  const drawing = (kind: keyof typeof WIDTHS) =>
    html`<div class="drawing ${kind}" role="img" aria-label="${label}">
      ${trusted(draw(WIDTHS[kind]))}
    </div>`;
  return html`<figure>
    ${drawing('wide')}${drawing('narrow')}
    ${caption === undefined ? undefined : html`<figcaption>${caption}</figcaption>`}
    <details>
      <summary>Show as table</summary>
      ${table}
    </details>
  </figure>`;
}

/** A table that scrolls by itself when it is too wide. Columns after the first hold numbers. */
export function table(
  label: string,
  heads: readonly string[],
  rows: readonly (readonly (string | Html)[])[],
): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">
    <table>
      <thead>
        <tr>
          ${heads.map((head, index) =>
            headCell(
              head,
              rows.some((row) => isText(row[index])),
            ),
          )}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([first = '', ...others]) =>
            html`<tr>
              <th scope="row">${first}</th>
              ${others.map((cell) => tableCell(cell))}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** Sentences wrap and stand left; numbers and words stand right in one line. */
function tableCell(cell: string | Html): Html {
  return isText(cell) ? html`<td class="text">${cell}</td>` : html`<td>${cell}</td>`;
}

function headCell(head: string, text: boolean): Html {
  return text
    ? html`<th scope="col" class="text">${head}</th>`
    : html`<th scope="col">${head}</th>`;
}

function isText(cell: string | Html | undefined): boolean {
  return typeof cell === 'string' && cell.length > LONGEST_NUMBER;
}

const LONGEST_NUMBER = 22;
