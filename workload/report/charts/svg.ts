import { escapeXml } from '../../results/xml-text.js';

/** Attributes of an element; undefined ones are left out. */
type Attributes = Readonly<Record<string, string | number | undefined>>;

/** An SVG element as text; children are markup, see {@link label} for text. */
export function element(name: string, attributes: Attributes, ...children: string[]): string {
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escapeXml(shortest(value))}"`],
  );
  const open = `<${name}${written.join('')}`;
  return children.length === 0 ? `${open}/>` : `${open}>${children.join('')}</${name}>`;
}

/** A text element; `text` is escaped. */
export function label(text: string, attributes: Attributes): string {
  return element('text', attributes, escapeXml(text));
}

/** What a pointer that rests on the parent shows. */
export function tip(text: string): string {
  return element('title', {}, escapeXml(text));
}

/** The root of a drawing; hidden from readers, whose wrapper carries the label. */
export function drawing(width: number, height: number, ...children: string[]): string {
  const size = { width, height, viewBox: `0 0 ${width} ${Math.ceil(height)}` };
  return element('svg', { ...size, 'aria-hidden': 'true', focusable: 'false' }, ...children);
}

/** Two decimals are a hundredth of a pixel: more would only make the page larger. */
function shortest(value: string | number): string {
  return typeof value === 'number' ? String(Math.round(value * 100) / 100) : value;
}
