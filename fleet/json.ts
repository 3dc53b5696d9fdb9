/**
 * Reads JSON of a service whose documents may hold more than we know. Written by hand, because the
 * bundled handler carries no library: unknown fields are passed over, wrong types count as absent.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What stands at a path of names; undefined when any part is missing. */
export function valueAt(json: unknown, ...path: readonly string[]): unknown {
  let at = json;
  for (const name of path) {
    if (!isRecord(at)) return undefined;
    at = at[name];
  }
  return at;
}

/** The text at a path. */
export function textAt(json: unknown, ...path: readonly string[]): string | undefined {
  const value = valueAt(json, ...path);
  return typeof value === 'string' ? value : undefined;
}

/** The number at a path. */
export function numberAt(json: unknown, ...path: readonly string[]): number | undefined {
  const value = valueAt(json, ...path);
  return typeof value === 'number' ? value : undefined;
}

/** The list at a path; empty when there is none. */
export function listAt(json: unknown, ...path: readonly string[]): readonly unknown[] {
  const value = valueAt(json, ...path);
  return Array.isArray(value) ? value : [];
}

/** The map of texts at a path, without entries that are not text. */
export function textsAt(json: unknown, ...path: readonly string[]): Record<string, string> {
  const value = valueAt(json, ...path);
  if (!isRecord(value)) return {};
  const texts = Object.entries(value).flatMap(([key, text]) =>
    typeof text === 'string' ? [[key, text] as const] : [],
  );
  return Object.fromEntries(texts);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
