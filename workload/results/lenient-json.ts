/** What reading a JSON text gave: the value, with what had to be put right, or why not. */
export type LenientJson =
  | { readonly ok: true; readonly value: unknown; readonly repaired: readonly string[] }
  | { readonly ok: false; readonly reason: string };

/**
 * Reads JSON as programs write it who do not know that `NaN` and `Infinity` are not JSON: those, and
 * numbers too large for a double, become null, and `repaired` names their places. Everything else
 * that is not JSON is refused with the reason.
 */
export function parseLenientJson(text: string): LenientJson {
  const parsed = tryParse(text) ?? tryParse(withoutBareNumbers(text));
  if (parsed === undefined) return { ok: false, reason: whyNotJson(text) };
  if (isClean(parsed.value, 0)) return { ok: true, value: parsed.value, repaired: [] };
  const repaired: string[] = [];
  const cleaned = clean(parsed.value, '', 0, repaired);
  if (cleaned === TOO_DEEP) return { ok: false, reason: `nested deeper than ${MAX_DEPTH}` };
  return { ok: true, value: cleaned, repaired };
}

function tryParse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function whyNotJson(text: string): string {
  if (text.trim() === '') return 'the file is empty';
  try {
    JSON.parse(text);
    return 'not JSON';
  } catch (error) {
    return `not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** A marker that strings cannot hold by chance; it becomes null in {@link clean}. */
const BARE = '\u0000not-a-number:';

/** Strings are matched first so that a NaN inside one stays. */
function withoutBareNumbers(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b/g, (match) =>
    match.startsWith('"') ? match : JSON.stringify(BARE + match),
  );
}

const MAX_DEPTH = 64;
const TOO_DEEP = Symbol('too deep');

/** True for nearly every file: there is nothing to put right, so nothing has to be copied. */
function isClean(value: unknown, depth: number): boolean {
  if (depth > MAX_DEPTH) return false;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value === 'string') return !value.startsWith(BARE);
  if (Array.isArray(value)) return value.every((item) => isClean(item, depth + 1));
  if (!isObject(value)) return true;
  for (const name in value) if (!isClean(value[name], depth + 1)) return false;
  return true;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function clean(value: unknown, place: string, depth: number, repaired: string[]): unknown {
  if (depth > MAX_DEPTH) return TOO_DEEP;
  if (typeof value === 'number') return finite(value, place, repaired);
  if (typeof value === 'string') return cleanText(value, place, repaired);
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value)
    ? cleanList(value, place, depth, repaired)
    : cleanObject(value, place, depth, repaired);
}

function finite(value: number, place: string, repaired: string[]): number | null {
  if (Number.isFinite(value)) return value;
  repaired.push(`${place}: ${value}`);
  return null;
}

function cleanText(value: string, place: string, repaired: string[]): string | null {
  if (!value.startsWith(BARE)) return value;
  repaired.push(`${place}: ${value.slice(BARE.length)}`);
  return null;
}

function cleanList(list: unknown[], place: string, depth: number, repaired: string[]): unknown {
  const result: unknown[] = [];
  for (const [index, item] of list.entries()) {
    const cleaned = clean(item, `${place}[${index}]`, depth + 1, repaired);
    if (cleaned === TOO_DEEP) return TOO_DEEP;
    result.push(cleaned);
  }
  return result;
}

function cleanObject(object: object, place: string, depth: number, repaired: string[]): unknown {
  const result: [string, unknown][] = [];
  for (const [name, item] of Object.entries(object)) {
    const inner = place === '' ? name : `${place}.${name}`;
    const cleaned = clean(item, inner, depth + 1, repaired);
    if (cleaned === TOO_DEEP) return TOO_DEEP;
    result.push([name, cleaned]);
  }
  return Object.fromEntries(result);
}
