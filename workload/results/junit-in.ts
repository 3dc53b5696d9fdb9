import { readXml, type XmlElement, type XmlVisitor } from './xml-reader.js';

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
  const cases = new CaseCollector();
  const problem = readXml(text, cases);
  if (problem !== undefined) return { state: 'malformed', reason: `not XML: ${problem}` };
  if (cases.suites === 0) return { state: 'malformed', reason: 'it has no <testsuite>' };
  return cases.result();
}

/** True when a junit file was read and nothing in it failed. */
export function junitPassed(junit: JunitResult): boolean {
  return junit.state === 'read' && junit.failures === 0 && junit.errors === 0;
}

/** Sees a document pass by and keeps what stands in test cases of its suites, however those are nested. */
class CaseCollector implements XmlVisitor {
  suites = 0;
  private readonly names: string[] = [];
  private readonly failing: FailingCase[] = [];
  private readonly claimed = { failures: 0, errors: 0 };
  private readonly path: string[] = [];
  private failure:
    { readonly kind: FailingCase['kind']; message: string; text: string } | undefined;

  open(element: XmlElement): void {
    const parent = this.path.at(-1);
    this.path.push(element.name);
    if (element.name === 'testsuite' && parent !== 'testcase') {
      this.suites += 1;
      this.claimed.failures = added(this.claimed.failures, element.attribute('failures'));
      this.claimed.errors = added(this.claimed.errors, element.attribute('errors'));
    } else if (element.name === 'testcase' && parent === 'testsuite') {
      this.names.push(element.attribute('name') ?? '');
    } else if (parent === 'testcase' && isKind(element.name)) {
      const message = element.attribute('message') ?? '';
      this.failure = { kind: element.name, message, text: '' };
    }
  }

  text(text: string): void {
    if (this.failure !== undefined && isKind(this.path.at(-1) ?? '')) this.failure.text += text;
  }

  close(name: string): void {
    this.path.pop();
    if (this.failure === undefined || name !== this.failure.kind) return;
    const { kind, message, text } = this.failure;
    const said = withoutGinkgoFrame(text);
    // The text, else the message, else nothing: an empty <failure/> is a failure too.
    this.failing.push({
      name: this.names.at(-1) ?? '',
      kind,
      text: said === '' ? message : said,
    });
    this.failure = undefined;
  }

  result(): JunitResult {
    const shown = (kind: FailingCase['kind']) =>
      new Set(this.failing.filter((one) => one.kind === kind).map((one) => one.name)).size;
    return {
      state: 'read',
      tests: this.names.flatMap((name) => /^(.+) overall \(/s.exec(name)?.[1] ?? []),
      cases: this.names.length,
      failing: this.failing,
      failures: Math.max(this.claimed.failures, shown('failure')),
      errors: Math.max(this.claimed.errors, shown('error')),
    };
  }
}

function isKind(name: string): name is FailingCase['kind'] {
  return name === 'failure' || name === 'error';
}

function added(sum: number, claim: string | undefined): number {
  return Math.min(sum + wholeNumber(claim ?? ''), Number.MAX_SAFE_INTEGER);
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

function wholeNumber(text: string): number {
  const value = Number.parseInt(text, 10);
  return Number.isFinite(value) && value > 0 ? value : 0;
}
