import { clusterNumber } from '../../model/cluster-identity.js';
import type { Row } from '../../model/row.js';
import { combineJudgements, exitOf, type Judgement } from '../../model/verdict.js';
import { clusterCoverage, coverageRows, type MeasurementCoverage } from './coverage.js';
import { groupBy } from './group-by.js';
import { judgeCluster } from './cluster-judgement.js';
import { floorRows, outcomeRows, statusRow, weakStimuli } from './fact-rows.js';
import { measurementRows } from './measurement-rows.js';
import type { RowFrame } from './make-row.js';
import { newestRows, sortRows } from './order-rows.js';
import { probeRows } from './probe-rows.js';
import { readAttempt, type AttemptReading } from './read-attempt.js';
import type { AttemptFolder, ExpectedCluster, RunFacts } from './run-facts.js';

/** Everything that one cluster gave. */
export interface ClusterRows {
  readonly cluster: string;
  /** Sorted by (group, measurement, key). */
  readonly rows: readonly Row[];
  readonly judgement: Judgement;
  readonly coverage: readonly MeasurementCoverage[];
  /** `cluster/file: reason` of what could not be read. */
  readonly malformed: readonly string[];
  readonly unknown: readonly string[];
}

/** How rows are made. */
export interface CollectOptions {
  /** When the rows are made: UTC, whole seconds. */
  readonly timestamp: string;
  /** Keep the rows of every attempt, not only the newest of each key. @default false */
  readonly keepAttempts?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The one collector: report folders, probes and outcomes become rows, cluster by cluster in the order
 * of their names, so that memory holds one cluster at a time. Every expected cluster yields at least
 * its `ClusterStatus` row; clusters that have folders and were not expected come too.
 */
export function* collectClusters(facts: RunFacts, options: CollectOptions): Generator<ClusterRows> {
  const attempts = groupBy(facts.attempts, (attempt) => attempt.cluster);
  const expected = new Map(facts.clusters.map((cluster) => [cluster.role, cluster]));
  const roles = [...new Set([...expected.keys(), ...attempts.keys()])].sort();
  const factsOf = factsByCluster(facts, roles);
  for (const role of roles) {
    options.signal?.throwIfAborted();
    const folders = [...(attempts.get(role) ?? [])].sort((a, b) => a.attempt - b.attempt);
    yield collectCluster(factsOf(role), expected.get(role) ?? { role }, folders, options);
  }
}

/**
 * The facts with the probes of one cluster. Probes name clusters as their writer saw them, which may
 * be a cloud's own name. Each line and sample goes to the role with the same number, otherwise to
 * the first role: none is dropped.
 */
function factsByCluster(facts: RunFacts, roles: readonly string[]): (role: string) => RunFacts {
  const known = new Map(roles.map((role) => [role, role]));
  const byNumber = new Map([...roles].reverse().map((role) => [clusterNumber(role), role]));
  const home = (name: string): string => {
    const found = known.get(name) ?? numbered(byNumber, name) ?? roles[0] ?? name;
    known.set(name, found);
    return found;
  };
  const { lines, floor } = facts.probes;
  const homedLines = lines.map((line) => ({ ...line, src_cluster: home(line.src_cluster) }));
  const homedFloor = floor.map((sample) => ({ ...sample, cluster: home(sample.cluster) }));
  const linesBy = groupBy(homedLines, (line) => line.src_cluster);
  const floorBy = groupBy(homedFloor, (sample) => sample.cluster);
  return (role) => ({
    ...facts,
    probes: {
      ...facts.probes,
      lines: linesBy.get(role) ?? [],
      floor: floorBy.get(role) ?? [],
    },
  });
}

function numbered(byNumber: ReadonlyMap<number | undefined, string>, name: string) {
  const number = clusterNumber(name);
  return number === undefined ? undefined : byNumber.get(number);
}

function collectCluster(
  facts: RunFacts,
  cluster: ExpectedCluster,
  folders: readonly AttemptFolder[],
  options: CollectOptions,
): ClusterRows {
  const readings = folders.map(readAttempt);
  const frames = readings.map((reading) => frameOf(facts, cluster, reading, options));
  const frame = frames.at(-1) ?? frameOf(facts, cluster, undefined, options);
  const last = readings.at(-1);
  const judgement = judgeCluster(cluster.role, last, facts);
  // Only for the cluster's own row: in the verdict the rule itself speaks.
  const whole = combineJudgements([judgement, ...weakJudgements(frame)]);
  const coverage = clusterCoverage(frame, readings);
  const rows = [
    ...readings.flatMap((reading, index) => attemptRows(frames[index] ?? frame, reading)),
    ...probeRows(frame, facts.probes.lines),
    ...floorRows(frame),
    ...coverageRows(frame, coverage),
    statusRow(frame, whole, readings),
  ];
  return {
    cluster: cluster.role,
    rows: sortRows(options.keepAttempts === true ? rows : newestRows(rows)),
    judgement,
    coverage,
    malformed: readings.flatMap((one) => one.malformed.map((file) => `${cluster.role}/${file}`)),
    unknown: readings.flatMap((one) => one.unknown.map((file) => `${cluster.role}/${file}`)),
  };
}

function attemptRows(frame: RowFrame, reading: AttemptReading): readonly Row[] {
  return [...measurementRows(frame, reading), ...outcomeRows(frame, reading.folder.outcome)];
}

function frameOf(
  facts: RunFacts,
  cluster: ExpectedCluster,
  reading: AttemptReading | undefined,
  { timestamp }: CollectOptions,
): RowFrame {
  const judgement = judgeCluster(cluster.role, reading, facts);
  const texts = judgement.reasons.map((reason) => reason.text);
  return {
    facts,
    timestamp,
    cluster: cluster.role,
    attempt: reading?.folder.attempt ?? 0,
    status: exitOf(judgement) === 'good' ? 'success' : 'failure',
    details: texts.length === 0 ? null : texts.join('\n'),
    ciliumVersion: cluster.ciliumVersion,
    invalidReasons: weakStimuli(reading?.folder.outcome, facts.rules),
  };
}

function weakJudgements({ cluster, invalidReasons }: RowFrame): readonly Judgement[] {
  const reasons = invalidReasons.map((text) => ({ code: 'stimulus-too-weak', text, cluster }));
  return reasons.length === 0 ? [] : [{ verdict: 'invalid', reasons }];
}
