import { isCollection, isPair, LineCounter, parseDocument, type Document } from 'yaml';
import type { z } from 'zod';
import type { ErrorPlace, UserError } from '../../model/user-error.js';
import { badField, notYaml } from './errors.js';

/** A way to a value inside a document: keys of objects and indexes of lists. */
export type FieldPath = readonly (string | number)[];

/** A YAML file that knows where each of its values stands. */
export interface YamlDocument {
  readonly value: unknown;
  /** Line and column of the value at `path`, or of the nearest thing around it. */
  placeOf(path: FieldPath): ErrorPlace;
  /** Line and column of the key that the last item of `path` names. */
  placeOfKey(path: FieldPath): ErrorPlace;
}

/** What reading YAML gives: the document, or every complaint of the parser. */
export type ReadYaml =
  | { readonly ok: true; readonly document: YamlDocument }
  | { readonly ok: false; readonly errors: readonly UserError[] };

/** Reads YAML. Duplicate keys and anything else that the parser warns of are errors. */
export function readYaml(text: string, file: string): ReadYaml {
  const lines = new LineCounter();
  const parsed = parseDocument(text, {
    lineCounter: lines,
    strict: true,
    uniqueKeys: true,
    // A key that is a collection becomes text, at twice the length for each level of nesting.
    stringKeys: true,
    merge: true,
  });
  const complaints = [...parsed.errors, ...parsed.warnings];
  if (complaints.length > 0) {
    const errors = complaints.map(({ linePos, message }) => {
      const start = linePos?.[0];
      const problem = message.split('\n')[0] ?? message;
      return notYaml({ file, line: start?.line ?? 1, column: start?.col ?? 1 }, problem);
    });
    return { ok: false, errors };
  }
  const value = valueOf(parsed);
  if (!value.ok)
    return { ok: false, errors: [notYaml({ file, line: 1, column: 1 }, value.problem)] };
  const at = (offset: number): ErrorPlace => {
    const { line, col } = lines.linePos(offset);
    return { file, line, column: col };
  };
  const document: YamlDocument = {
    value: value.value,
    placeOf: (path) => at(offsetOf(parsed, path)),
    placeOfKey: (path) => at(keyOffset(parsed, path)),
  };
  return { ok: true, document };
}

/** Aliases of nothing, and aliases that would unfold without end, show only here. */
function valueOf(
  parsed: Document,
):
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: string } {
  try {
    return { ok: true, value: parsed.toJS() as unknown };
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** One error for each thing that a schema finds wrong, each at its place in the file. */
export function fieldErrors(
  document: YamlDocument,
  issues: readonly Issue[],
): readonly UserError[] {
  return issues.flatMap((issue) => {
    const path = issue.path.filter((part) => typeof part !== 'symbol');
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) =>
        badField(document.placeOfKey([...path, key]), `unknown key "${key}"`, {
          given: key,
          expected: issue.message,
        }),
      );
    }
    return [badField(document.placeOf(path), problemAt(path, issue), given(document, path, issue))];
  });
}

type Issue = z.core.$ZodIssue;

function problemAt(path: FieldPath, issue: Issue): string {
  const field = path.length === 0 ? 'the file' : `"${path.join('.')}"`;
  return isMissing(issue) ? `${field} is missing` : `${field} is not right`;
}

function given(document: YamlDocument, path: FieldPath, issue: Issue) {
  const expected = expectedText(issue);
  if (isMissing(issue)) return { expected };
  return { given: JSON.stringify(valueAt(document.value, path)), expected };
}

function expectedText(issue: Issue): string {
  if (issue.code === 'invalid_union' && 'options' in issue && Array.isArray(issue.options)) {
    return `one of ${issue.options.join(', ')}`;
  }
  return issue.message.replace(/^Invalid (input|option): (expected )?/, '');
}

function isMissing(issue: Issue): boolean {
  return issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
}

function valueAt(value: unknown, path: FieldPath): unknown {
  return path.reduce<unknown>((inner, part) => {
    if (Array.isArray(inner)) return inner[Number(part)] as unknown;
    if (typeof inner !== 'object' || inner === null) return undefined;
    return Object.entries(inner).find(([key]) => key === String(part))?.[1];
  }, value);
}

function offsetOf(document: Document, path: FieldPath): number {
  for (let length = path.length; length >= 0; length--) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    const range = rangeOf(node);
    if (range !== undefined) return range;
  }
  return 0;
}

function keyOffset(document: Document, path: FieldPath): number {
  const parent: unknown = document.getIn(path.slice(0, -1), true);
  const key = path.at(-1);
  if (!isCollection(parent)) return offsetOf(document, path);
  const pair = parent.items.find((item) => isPair(item) && String(item.key) === String(key));
  return (isPair(pair) ? rangeOf(pair.key) : undefined) ?? offsetOf(document, path);
}

function rangeOf(node: unknown): number | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node)) return undefined;
  return Array.isArray(node.range) && typeof node.range[0] === 'number' ? node.range[0] : undefined;
}
