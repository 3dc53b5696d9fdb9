import { decodeEntities } from './xml-text.js';

/** Who is told what stands in an XML document, in its order. */
export interface XmlVisitor {
  open(element: XmlElement): void;
  /** Text and CDATA of the innermost element, decoded; possibly in several pieces. */
  text(text: string): void;
  close(name: string): void;
}

/** An element as it is opened. */
export interface XmlElement {
  readonly name: string;
  /** An attribute, decoded; undefined when it has none of that name. */
  attribute(name: string): string | undefined;
}

/**
 * Reads a document in one pass, or says why it is none. Strict where parsers for everyday repair what
 * they read: a report cut off in the middle would look like one where nothing failed. It knows no
 * entities but the five of XML and numbers, so that none can grow.
 */
export function readXml(text: string, visitor: XmlVisitor): string | undefined {
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) return 'it declares entities, which no test report needs';
  const open: string[] = [];
  let roots = 0;
  let end = 0;
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', end)) {
    const markup = markupAt(text, at);
    if (markup === undefined) return `broken markup in line ${lineOf(text, at)}`;
    if (at > end) visitor.text(decodeEntities(text.slice(end, at)));
    end = markup.end;
    if (markup.kind === 'section') {
      if (markup.text !== '') visitor.text(markup.text);
    } else if (markup.kind === 'closing') {
      const expected = open.pop() ?? 'nothing';
      if (expected !== markup.name) return `</${markup.name}> closes <${expected}>`;
      visitor.close(markup.name);
    } else {
      if (open.length === 0) roots += 1;
      if (open.length >= MAX_DEPTH) return `nested deeper than ${MAX_DEPTH}`;
      visitor.open(elementOf(markup.name, markup.text));
      if (markup.kind === 'opening') open.push(markup.name);
      else visitor.close(markup.name);
    }
  }
  if (open.length > 0) return `<${open.at(-1) ?? ''}> is not closed: the file is cut off`;
  return roots === 1 ? undefined : `${roots} root elements`;
}

const MAX_DEPTH = 64;

interface Markup {
  readonly kind: 'opening' | 'closing' | 'empty' | 'section';
  readonly name: string;
  /** Of a tag all of it; of a CDATA section what it holds; of other sections nothing. */
  readonly text: string;
  readonly end: number;
}

/** The tag, comment, CDATA section or instruction that begins at `at`. Linear in its length. */
function markupAt(text: string, at: number): Markup | undefined {
  for (const [start, stop] of SECTIONS) {
    if (!text.startsWith(start, at)) continue;
    const end = text.indexOf(stop, at + start.length);
    if (end < 0) return undefined;
    const inside = start === CDATA ? text.slice(at + start.length, end) : '';
    return { kind: 'section', name: '', text: inside, end: end + stop.length };
  }
  TAG.lastIndex = at;
  const match = TAG.exec(text);
  if (match === null) return undefined;
  const [whole, slash, name = ''] = match;
  const kind = slash === '/' ? 'closing' : whole.endsWith('/>') ? 'empty' : 'opening';
  return { kind, name, text: whole, end: at + whole.length };
}

function elementOf(name: string, tag: string): XmlElement {
  return {
    name,
    attribute: (wanted) => {
      for (const [, own, quoted = ''] of tag.matchAll(ATTRIBUTE)) {
        if (own === wanted) return decodeEntities(quoted.slice(1, -1));
      }
      return undefined;
    },
  };
}

function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}

const CDATA = '<![CDATA[';

const SECTIONS = [
  ['<!--', '-->'],
  [CDATA, ']]>'],
  ['<?', '?>'],
] as const;

const TAG = /<(\/?)([A-Za-z_][\w.:-]*)(?=[\s/>])(?:[^<>"']|"[^"<]*"|'[^'<]*')*>/y;
const ATTRIBUTE = /\s([A-Za-z_][\w.:-]*)\s*=\s*("[^"]*"|'[^']*')/g;
