import type { Random } from '../../../workload/platform/random.js';

/** A text with one to four things done to it that disks, uploads and other programs do to files. */
export function mutate(text: string, random: Random): string {
  let changed = text;
  for (let left = random.integer(1, 4); left > 0; left--) {
    changed = MUTATIONS[random.integer(0, MUTATIONS.length - 1)]?.(changed, random) ?? changed;
  }
  return changed;
}

type Mutation = (text: string, random: Random) => string;

const MUTATIONS: readonly Mutation[] = [
  // Cut off, at either end.
  (text, random) => text.slice(0, random.integer(0, text.length)),
  (text, random) => text.slice(random.integer(0, text.length)),
  // A piece is lost, is there twice, or stands elsewhere.
  (text, random) => splice(text, random, () => ''),
  (text, random) => splice(text, random, (piece) => piece + piece),
  (text, random) => splice(text, random, () => piece(text, random)),
  // Something else stands in a place.
  (text, random) => splice(text, random, () => token(random)),
  (text, random) => insert(text, random, token(random)),
  (text, random) => insert(text, random, String.fromCharCode(random.integer(0, 0xffff))),
  (text, random) => text.replace(/[\d.]+/, () => token(random)),
  (text, random) =>
    text.replace(/"[^"]*"/g, (own) => (random.integer(0, 9) === 0 ? token(random) : own)),
  (text, random) => token(random).repeat(random.integer(0, 200)) + text,
];

const TOKENS = [
  ...['NaN', '-Infinity', '1e999', '-0', '9007199254740993', '1e-400', '0x1', '٣'],
  ...['null', 'true', '{}', '[]', '""', '"\\ud800"', '"__proto__":{"a":1}', '{"constructor":1}'],
  ...['<', '>', '&', '&#x0;', '&#xffffffff;', '&lol;', ']]>', '<![CDATA[', '<!--', '<?xml?>'],
  ...['<!DOCTYPE a [<!ENTITY b "c">]>', '<failure/>', '<error message="x"/>', '</testsuite>'],
  ...['<testsuite>', '<testcase name="a overall (b)">', ' failures="1e9"', ' errors="-1"'],
  ...['dataItems', 'labels', '\u0000', '\ufeff', '\r\n', '\u2028', '{', '[', '"', '\\', ',', ':'],
  ...['- ', '!!js/function', '&a *a', '<<: *a', '? ', '| \n', '%YAML 9', '../../etc/passwd'],
];

function token(random: Random): string {
  return TOKENS[random.integer(0, TOKENS.length - 1)] ?? '';
}

function piece(text: string, random: Random): string {
  const from = random.integer(0, text.length);
  return text.slice(from, from + random.integer(0, 40));
}

function splice(text: string, random: Random, by: (piece: string) => string): string {
  const from = random.integer(0, text.length);
  const to = Math.min(text.length, from + random.integer(0, 40));
  return text.slice(0, from) + by(text.slice(from, to)) + text.slice(to);
}

function insert(text: string, random: Random, what: string): string {
  const at = random.integer(0, text.length);
  return text.slice(0, at) + what + text.slice(at);
}
