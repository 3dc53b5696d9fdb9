import { readFileSync } from 'node:fs';
import { LineCounter, parseDocument, type Document } from 'yaml';
import { checkMeshSpec, type GoodMesh } from '../model/check-mesh-spec.js';
import type { MeshSpec } from '../model/mesh-spec.js';
import type { PlaceOf } from '../model/spec-place.js';
import { throwAll, throwRefusal } from '../model/user-error.js';
import { noSpecFile, specNotYaml } from './errors.js';

/** A mesh spec that was read from a file. */
export interface LoadedSpec {
  readonly spec: MeshSpec;
  readonly checked: GoodMesh;
  /** Lines of the file. */
  readonly placeOf: PlaceOf;
}

/** Reads and checks `specs/<name>.yaml`; throws everything that is wrong, by line. */
export function readSpec(file: string): LoadedSpec {
  return loadSpec(textOf(file), file);
}

/** Checks the text of `specs/<name>.yaml`; throws everything that is wrong, by line. */
export function loadSpec(text: string, file: string): LoadedSpec {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  throwAll(
    document.errors.map((error) => {
      const { line, col } = lines.linePos(error.pos[0]);
      return specNotYaml({ file, line, column: col }, error.message.split('\n')[0] ?? '');
    }),
  );
  const placeOf: PlaceOf = (path) => placeIn(document, lines, file, path);
  const value: unknown = document.toJS();
  const checked = checkMeshSpec(value, placeOf);
  if (!checked.ok) throwRefusal(checked.errors, 'the spec');
  return { spec: checked.spec, checked, placeOf };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw noSpecFile(file, error instanceof Error ? error.message : String(error));
  }
}

/** The nearest thing above, where the path itself is not in the file: a default was wrong. */
function placeIn(
  document: Document,
  lines: LineCounter,
  file: string,
  path: readonly (string | number)[],
): ReturnType<PlaceOf> {
  for (let depth = path.length; depth > 0; depth -= 1) {
    const node: unknown = document.getIn(path.slice(0, depth), true);
    const start = startOf(node);
    if (start === undefined) continue;
    const { line, col } = lines.linePos(start);
    return { file, line, column: col };
  }
  return { file };
}

function startOf(node: unknown): number | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node)) return undefined;
  const { range } = node;
  return Array.isArray(range) && typeof range[0] === 'number' ? range[0] : undefined;
}
