import type { z } from 'zod';

/** What reading a file of ours gave: its value, or one sentence of why not. */
export type VersionedReading<T> =
  | { readonly state: 'read'; readonly value: T }
  /** Not JSON, or not as its schema says: each problem with the place of the field. */
  | { readonly state: 'broken'; readonly problems: readonly string[] }
  /** Another release wrote it; nothing else of it can be trusted. */
  | { readonly state: 'other-version'; readonly given: string; readonly known: string };

/**
 * Reads a JSON text whose `schemaVersion` this program must know. The version is looked at before
 * anything else, so that a file of another release is not blamed for fields that it may well have.
 */
export function readVersioned<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
  version: number,
): VersionedReading<z.output<Schema>> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return { state: 'broken', problems: [`it is not JSON: ${said}`] };
  }
  return checkVersioned(json, schema, version);
}

/** The same for JSON that was parsed already. */
export function checkVersioned<Schema extends z.ZodType>(
  json: unknown,
  schema: Schema,
  version: number,
): VersionedReading<z.output<Schema>> {
  const given = versionOf(json);
  if (given !== version) {
    const text =
      given === undefined ? 'no schemaVersion' : `schemaVersion ${JSON.stringify(given)}`;
    return { state: 'other-version', given: text, known: `schemaVersion ${version}` };
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return { state: 'read', value: parsed.data };
  const problems = parsed.error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join('.')}: ${message}`,
  );
  return { state: 'broken', problems };
}

function versionOf(json: unknown): unknown {
  return typeof json === 'object' && json !== null && 'schemaVersion' in json
    ? json.schemaVersion
    : undefined;
}
