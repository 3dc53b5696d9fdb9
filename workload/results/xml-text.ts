/** The five names of XML and numbers, decoded in one pass so that `&amp;lt;` stays `&lt;`. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(lt|gt|amp|quot|apos));/gi,
    (all, ...found) => {
      const [hex, decimal, name] = found.map((part) => (typeof part === 'string' ? part : ''));
      if (name) return NAMED.get(name.toLowerCase()) ?? all;
      const code = hex ? Number.parseInt(hex, 16) : Number.parseInt(decimal ?? '', 10);
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : all;
    },
  );
}

/** `&`, `<`, `>`, quotes, and the control characters that XML 1.0 does not allow at all. */
export function escapeXml(text: string): string {
  return text
    .replace(FORBIDDEN, '\uFFFD')
    .replace(/[&<>"']/g, (character) => ESCAPED.get(character) ?? character);
}

/** Control characters but tab, line feed and carriage return. */
const FORBIDDEN = /(?![\t\n\r])\p{Cc}/gu;

const NAMED: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);

const ESCAPED: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);
