/** What the name of a ClusterLoader2 summary file says. */
export interface SummaryName {
  /**
   * As it stands in rows: the metric name of a query; the summary name, with the identifier of the
   * measurement behind it only where that differs from the method.
   */
  readonly measurement: string;
  /** The name of the test that wrote it. */
  readonly group: string;
  /** When it was written, UTC, so that stamps compare as text. */
  readonly stamp: string;
}

/**
 * Reads `<summary>_<test>[_<scenario id>]_<RFC 3339>.json`. The time is cut from the right. A test
 * name that is known is cut from the right as well; otherwise the summary is cut from the left by
 * the list of known summaries, so that test names may hold underscores. Undefined: not such a name.
 * @see data/clusterloader2.md §4.2
 */
export function parseSummaryName(
  fileName: string,
  testNames: readonly string[] = [],
): SummaryName | undefined {
  const match = STAMPED.exec(fileName);
  const front = match?.groups?.['front'];
  const stamp = stampOf(match?.groups);
  if (front === undefined || stamp === undefined) return undefined;
  const cut = cutAtTest(front, testNames) ?? cutAtSummary(front);
  return { measurement: measurementName(cut.summary), group: cut.group, stamp };
}

/** The instant of an RFC 3339 text as UTC with whole seconds; undefined when it is none. */
export function utcSeconds(text: string): string | undefined {
  const instant = Date.parse(text);
  if (Number.isNaN(instant)) return undefined;
  return new Date(instant).toISOString().replace(/\.\d+Z$/, 'Z');
}

interface Cut {
  readonly summary: string;
  readonly group: string;
}

let lastStamp: { readonly text: string; readonly utc: string | undefined } | undefined;

/** The files of a report are written within seconds, so that many have the same time. */
function stampOf(groups: Readonly<Record<string, string>> | undefined): string | undefined {
  if (groups === undefined) return undefined;
  const { day = '', time = '', zone = '' } = groups;
  const text = `${day}T${time}${zone}`;
  if (lastStamp?.text !== text) {
    const written = `${day}T${time.replace(/[^\d]/g, ':')}${zone.replace(/(?!^)[^\d]/g, ':')}`;
    lastStamp = { text, utc: utcSeconds(written) };
  }
  return lastStamp.utc;
}

/** The longest known test name that ends the front part, with or without a scenario id behind it. */
function cutAtTest(front: string, testNames: readonly string[]): Cut | undefined {
  const longestFirst = [...testNames].sort((a, b) => b.length - a.length);
  for (const test of longestFirst) {
    const at = front.lastIndexOf(`_${test}`);
    if (at <= 0) continue;
    const rest = front.slice(at + 1 + test.length);
    if (rest === '' || /^_[^_]+$/.test(rest)) return { summary: front.slice(0, at), group: test };
  }
  return undefined;
}

function cutAtSummary(front: string): Cut {
  const parts = front.split('_');
  const width = summaryWidth(parts);
  return { summary: parts.slice(0, width).join('_'), group: parts.slice(width).join('_') };
}

/** How many `_` parts the summary name takes. */
function summaryWidth(parts: readonly string[]): number {
  const [first = '', second] = parts;
  if (first === QUERY && second !== undefined) return 2; // older: GenericPrometheusQuery_<Metric>
  if (WITH_IDENTIFIER.has(first)) return 2;
  if (second === 'PrometheusSchedulingMetrics') return 2;
  if (first === 'NetworkPerformanceMetrics') return 4;
  return 1;
}

function measurementName(summary: string): string {
  if (summary.startsWith(QUERY) && summary.length > QUERY.length) {
    return summary.slice(QUERY.length + 1);
  }
  const [name = '', identifier] = summary.split(/_(.*)/s);
  // PodStartupLatency_PodStartupLatency says one thing twice; another identifier tells two apart.
  const same = identifier === name.replace(/^(Stateless|Stateful)/, '');
  return WITH_IDENTIFIER.has(name) && same ? name : summary;
}

const QUERY = 'GenericPrometheusQuery';

/** Summaries whose name carries the identifier of the measurement. @see data/clusterloader2.md §4.2 */
const WITH_IDENTIFIER: ReadonlySet<string> = new Set([
  'PodStartupLatency',
  'StatelessPodStartupLatency',
  'StatefulPodStartupLatency',
  'ServiceCreationLatency',
  'LoadBalancerNodeSyncLatency',
  'ResourceClaimAllocationLatency',
]);

/** Colons are replaced in names that went through file systems or uploads which refuse them. */
const STAMPED =
  /^(?<front>.+)_(?<day>\d{4}-\d\d-\d\d)T(?<time>\d\d[:.-]\d\d[:.-]\d\d)(?<zone>Z|[+-]\d\d[:.-]\d\d)\.[A-Za-z]+$/;
