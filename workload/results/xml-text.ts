/**
 * Why a text is no well-formed XML document, or undefined. The parser that we use repairs what it
 * reads, so a report cut off in the middle would look like one where nothing failed.
 */
export function xmlProblem(text: string): string | undefined {
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) return 'it declares entities, which no test report needs';
  const open: string[] = [];
  let roots = 0;
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
    const markup = markupAt(text, at);
    if (markup === undefined)
      return `broken markup in line ${text.slice(0, at).split('\n').length}`;
    at = markup.end;
    if (markup.kind === 'closing') {
      const expected = open.pop() ?? 'nothing';
      if (expected !== markup.name) return `</${markup.name}> closes <${expected}>`;
    } else if (markup.kind !== 'other') {
      if (open.length === 0) roots += 1;
      if (markup.kind === 'opening') open.push(markup.name);
      if (open.length > MAX_DEPTH) return `nested deeper than ${MAX_DEPTH}`;
    }
  }
  if (open.length > 0) return `<${open.at(-1) ?? ''}> is not closed: the file is cut off`;
  return roots === 1 ? undefined : `${roots} root elements`;
}

/** The five names of XML and numbers, decoded in one pass so that `&amp;lt;` stays `&lt;`. */
export function decodeEntities(text: string): string {
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

interface Markup {
  readonly kind: 'opening' | 'closing' | 'empty' | 'other';
  readonly name: string;
  readonly end: number;
}

/** The tag, comment, CDATA section or instruction that begins at `at`. Linear in its length. */
function markupAt(text: string, at: number): Markup | undefined {
  for (const [start, stop] of SECTIONS) {
    if (!text.startsWith(start, at)) continue;
    const end = text.indexOf(stop, at + start.length);
    return end < 0 ? undefined : { kind: 'other', name: '', end: end + stop.length };
  }
  TAG.lastIndex = at;
  const match = TAG.exec(text);
  if (match === null) return undefined;
  const [whole, slash, name = ''] = match;
  const kind = slash === '/' ? 'closing' : whole.endsWith('/>') ? 'empty' : 'opening';
  return { kind, name, end: at + whole.length };
}

const MAX_DEPTH = 64;

const SECTIONS = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const;

const TAG = /<(\/?)([A-Za-z_][\w.:-]*)(?:[^<>"']|"[^"<]*"|'[^'<]*')*>/y;

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
