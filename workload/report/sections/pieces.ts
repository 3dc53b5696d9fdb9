import { html, type Html } from '../html.js';

/** A word of a state with the colour of that state; the word itself says it too. */
export function tag(state: string): Html {
  return html`<span class="tag ${state}">${state}</span>`;
}

/** One entry of a legend; `key` is the name of a colour of the style sheet. */
export interface LegendEntry {
  readonly name: string;
  readonly key: string;
  readonly stroke?: boolean;
  readonly dash?: 'solid' | 'dashed' | 'dotted';
}

/** What the colours of a chart mean. */
export function legend(entries: readonly LegendEntry[]): Html {
  return html`<ul class="legend">
    ${entries.map(
      ({ name, key, stroke, dash }) =>
        html`<li>
          <i
            class="${stroke === true ? 'stroke' : 'fill'}"
            style="--key: var(--${key}); --dash: ${dash ?? 'solid'}"
          ></i
          >${name}
        </li>`,
    )}
  </ul>`;
}
