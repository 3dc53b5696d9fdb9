import { escapeXml } from '../results/xml-text.js';

/** Markup that is known to be safe to put into a page. */
export interface Html {
  readonly markup: string;
}

/** What may stand in a template: text is escaped, markup is not. */
export type HtmlValue = string | number | Html | undefined | readonly HtmlValue[];

/** A template whose values are escaped, so that no name, log line or label becomes markup. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const parts = strings.map((text, index) => `${text}${render(values[index])}`);
  return { markup: parts.join('') };
}

/** Markup that we made ourselves (charts, style). */
export function trusted(markup: string): Html {
  return { markup };
}

function render(value: HtmlValue): string {
  if (value === undefined) return '';
  if (typeof value === 'string' || typeof value === 'number') return escapeXml(String(value));
  if ('markup' in value) return value.markup;
  return value.map(render).join('');
}
