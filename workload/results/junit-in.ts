import { XMLParser } from 'fast-xml-parser';
import { decodeEntities, xmlProblem } from './xml-text.js';

/** One case of a junit file that did not pass, with its text cleaned for people. */
export interface FailingCase {
  readonly name: string;
  readonly text: string;
  readonly kind: 'failure' | 'error';
}

/** What a junit file says, or why it says nothing. */
export type JunitResult =
  | {
      readonly state: 'read';
      /** Test names of the `overall` cases. */
      readonly tests: readonly string[];
      readonly cases: number;
      readonly failing: readonly FailingCase[];
      /** The larger of what the attributes claim and what the elements show, over all suites. */
      readonly failures: number;
      readonly errors: number;
    }
  | { readonly state: 'missing' }
  | { readonly state: 'malformed'; readonly reason: string };

/**
 * Reads a junit file of ClusterLoader2 or anybody else: one or many suites, with or without a
 * `testsuites` root, failures with text, attribute or nothing. ClusterLoader2 writes `tests="0"`
 * always, so cases are counted. Never throws.
 */
export function readJunit(text: string | undefined): JunitResult {
  if (text === undefined) return { state: 'missing' };
  const problem = xmlProblem(text);
  if (problem !== undefined) return { state: 'malformed', reason: `not XML: ${problem}` };
  try {
    const document: unknown = parser.parse(text);
    return fromDocument(document);
  } catch (error) {
    return { state: 'malformed', reason: error instanceof Error ? error.message : String(error) };
  }
}

/** True when a junit file was read and nothing in it failed. */
export function junitPassed(junit: JunitResult): boolean {
  return junit.state === 'read' && junit.failures === 0 && junit.errors === 0;
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  textNodeName: '#text',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  processEntities: false, // it knows no numbers, and ClusterLoader2 writes &#xA;
  isArray: (name) => ['testsuite', 'testcase', 'failure', 'error'].includes(name),
});

function fromDocument(document: unknown): JunitResult {
  const suites = suitesIn(document);
  if (suites.length === 0) return { state: 'malformed', reason: 'it has no <testsuite>' };
  const cases = suites.flatMap((suite) => listAt(suite, 'testcase'));
  const failing = cases.flatMap(failingCases);
  const shown = (kind: FailingCase['kind']) =>
    new Set(failing.filter((one) => one.kind === kind).map((one) => one.name)).size;
  const claimed = (name: string) =>
    suites.reduce<number>((sum, suite) => {
      return Math.min(sum + wholeNumber(textAt(suite, name)), Number.MAX_SAFE_INTEGER);
    }, 0);
  return {
    state: 'read',
    tests: cases.flatMap((one) => /^(.+) overall \(/s.exec(textAt(one, '@name'))?.[1] ?? []),
    cases: cases.length,
    failing,
    failures: Math.max(claimed('@failures'), shown('failure')),
    errors: Math.max(claimed('@errors'), shown('error')),
  };
}

/** Suites below a node, and those inside them, in whatever mixture of the two elements. */
function suitesIn(node: unknown): readonly unknown[] {
  return [
    ...listAt(node, 'testsuite').flatMap((suite) => [suite, ...suitesIn(suite)]),
    ...listAt(node, 'testsuites').flatMap(suitesIn),
  ];
}

function failingCases(node: unknown): readonly FailingCase[] {
  const name = textAt(node, '@name');
  return (['failure', 'error'] as const).flatMap((kind) =>
    listAt(node, kind).map((one) => ({ name, kind, text: failureText(one) })),
  );
}

/** The text, else the message attribute, else nothing: an empty `<failure/>` is a failure too. */
function failureText(node: unknown): string {
  const body = typeof node === 'string' ? decodeEntities(node) : textAt(node, '#text');
  const cleaned = withoutGinkgoFrame(body);
  return cleaned === '' ? textAt(node, '@message') : cleaned;
}

/** `:0\n[a\nb]\n:0` becomes `a\nb`. @see data/clusterloader2.md §4.4 */
function withoutGinkgoFrame(text: string): string {
  const bare = text
    .trim()
    .replace(/^:0\r?\n/, '')
    .replace(/\r?\n:0$/, '')
    .trim();
  return bare.startsWith('[') && bare.endsWith(']') ? bare.slice(1, -1).trim() : bare;
}

function listAt(node: unknown, name: string): readonly unknown[] {
  const value = valueAt(node, name);
  if (value === undefined || value === '') return [];
  return Array.isArray(value) ? value : [value];
}

function textAt(node: unknown, name: string): string {
  const value = valueAt(node, name);
  return typeof value === 'string' || typeof value === 'number'
    ? decodeEntities(String(value))
    : '';
}

function valueAt(node: unknown, name: string): unknown {
  if (typeof node !== 'object' || node === null) return undefined;
  return new Map<string, unknown>(Object.entries(node)).get(name);
}

function wholeNumber(text: string): number {
  const value = Number.parseInt(text, 10);
  return Number.isFinite(value) && value > 0 ? value : 0;
}
