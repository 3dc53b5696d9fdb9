import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { attemptOutcomeSchema, OUTCOME_SCHEMA_VERSION } from '../../model/attempt-outcome.js';
import { clusterNumber, clusterRoles } from '../../model/cluster-identity.js';
import type { RunPlan } from '../../model/run-plan.js';
import { readVersioned } from '../../model/versioned-json.js';
import { errorCode, readIfThere } from '../platform/files.js';
import { readPlan } from '../scenario/plan-file.js';
import { noRunFolder } from './errors.js';
import { utcSeconds } from './file-name.js';
import { parseJsonLines } from './json-lines.js';
import { otherVersion } from './other-version.js';
import { floorSampleSchema, probeLineSchema } from './probe-line.js';
import type { FloorSample, ProbeLine } from './probe-line.js';
import type {
  AttemptFolder,
  ExpectedCluster,
  NotApplicable,
  ProbeFacts,
  RunFacts,
} from './run-facts.js';

/** A run folder, read: its plan and all that its rows are made of. */
export interface RunFolder {
  readonly path: string;
  readonly plan: RunPlan;
  readonly facts: RunFacts;
}

/**
 * Reads plan, outcomes and probes of a run folder, also of one whose runner was killed. Only a plan
 * that is missing or unreadable is an error (`UserError`).
 */
export async function readRun(path: string): Promise<RunFolder> {
  const plan = await planOf(path);
  const attempts = await readAttempts(path);
  const probes = await readProbes(path, plan.scenario.probes.length > 0);
  const facts = factsOf(plan, attempts, { ...probes, unwatchable: unwatchable(plan) });
  return { path, plan, facts };
}

/** The plan of a run folder. Throws `UserError`s. */
async function planOf(path: string): Promise<RunPlan> {
  const file = join(path, 'plan.json');
  const text = await readIfThere(file);
  if (text === undefined) throw noRunFolder(path);
  return readPlan(text, file);
}

function factsOf(plan: RunPlan, attempts: readonly AttemptFolder[], probes: ProbeFacts): RunFacts {
  const { scenario, inventory } = plan;
  const [workload] = scenario.objects;
  return {
    runId: plan.runId,
    runUrl: '',
    scenario: scenario.name,
    testType: scenario.name,
    group: scenario.group,
    target: inventory.target,
    engine: plan.engine,
    startedAt: utcSeconds(plan.startedAt) ?? plan.startedAt,
    triggerReason: 'Manual',
    meshSize: inventory.expectedClusters,
    shape: {
      namespaces: workload?.namespaces ?? 0,
      deploymentsPerNamespace: workload?.deploymentsPerNamespace ?? 0,
      replicasPerDeployment: workload?.replicasPerDeployment ?? 0,
    },
    clusters: expectedClusters(plan),
    expected: plan.expected,
    notApplicable: notApplicableOf(plan),
    unmetNeeds: plan.unmetNeeds.map(({ need, reason }) => `${need}: ${reason}`),
    rules: scenario.verdict.rules,
    attempts,
    probes,
    ours: true,
  };
}

/** The etcd that holds a peer's cache is open to us on a local mesh only; the API server has no view of it. */
function unwatchable({ inventory }: RunPlan): string | undefined {
  const open = inventory.clusters.some(({ access }) => access.kind === 'local');
  return open ? undefined : `the mesh etcds of a ${inventory.target} target cannot be watched`;
}

function notApplicableOf({ clusters, expected }: RunPlan): readonly NotApplicable[] {
  const names = new Map(expected.map(({ id, measurement }) => [id, measurement]));
  return clusters.flatMap(({ role, notApplicable }) =>
    notApplicable.map(({ id, reason }) => ({
      cluster: role,
      measurement: names.get(id) ?? id,
      reason,
    })),
  );
}

/** Those of the inventory, and the roles of those that it says are still missing. */
function expectedClusters({ inventory }: RunPlan): readonly ExpectedCluster[] {
  const listed = inventory.clusters.map(({ role, ciliumVersion }) => ({ role, ciliumVersion }));
  const numbers = new Set(inventory.clusters.map((cluster) => cluster.number));
  const missing = clusterRoles(inventory.expectedClusters)
    .filter((role) => !numbers.has(clusterNumber(role) ?? 0))
    .slice(0, Math.max(0, inventory.expectedClusters - listed.length))
    .map((role) => ({ role }));
  return [...listed, ...missing];
}

async function readAttempts(path: string): Promise<readonly AttemptFolder[]> {
  const found: AttemptFolder[] = [];
  for (const cluster of await entriesOf(join(path, 'clusters'), 'folder')) {
    for (const name of await entriesOf(join(path, 'clusters', cluster), 'folder')) {
      const attempt = Number(/^attempt-(\d+)$/.exec(name)?.[1] ?? Number.NaN);
      if (Number.isNaN(attempt)) continue;
      const folder = join(path, 'clusters', cluster, name);
      const report = join(folder, 'report');
      found.push({ cluster, attempt, report, ...(await readOutcome(folder)) });
    }
  }
  return found;
}

async function readOutcome(
  folder: string,
): Promise<Pick<AttemptFolder, 'outcome' | 'outcomeProblem'>> {
  const text = await readIfThere(join(folder, 'outcome.json'));
  if (text === undefined) return {};
  const reading = readVersioned(text, attemptOutcomeSchema, OUTCOME_SCHEMA_VERSION);
  switch (reading.state) {
    case 'read':
      return { outcome: reading.value };
    case 'broken':
      return { outcomeProblem: reading.problems.join('; ') };
    case 'other-version':
      return { outcomeProblem: otherVersion(reading) };
  }
}

async function readProbes(path: string, expected: boolean): Promise<ProbeFacts> {
  const lines: ProbeLine[] = [];
  const floor: FloorSample[] = [];
  const problems: string[] = [];
  for (const name of await entriesOf(join(path, 'probes'), 'file')) {
    const probe = /^(.+)\.jsonl$/.exec(name)?.[1];
    if (probe === undefined) continue;
    const text = (await readIfThere(join(path, 'probes', name))) ?? '';
    const read = parseJsonLines(text);
    problems.push(...read.problems.map((problem) => `probes/${name}: ${problem}`));
    for (const value of read.values) {
      const problem = probe === FLOOR ? takeFloor(value, floor) : takeLine(value, probe, lines);
      if (problem !== undefined) problems.push(`probes/${name}: ${problem}`);
    }
  }
  return { lines, floor, expected: expected || lines.length > 0, problems };
}

function takeLine(value: unknown, probe: string, lines: ProbeLine[]): string | undefined {
  const parsed = probeLineSchema.safeParse(value);
  if (!parsed.success) return z.prettifyError(parsed.error);
  lines.push({ probe, ...parsed.data });
  return undefined;
}

function takeFloor(value: unknown, floor: FloorSample[]): string | undefined {
  const parsed = floorSampleSchema.safeParse(value);
  if (!parsed.success) return z.prettifyError(parsed.error);
  floor.push(parsed.data);
  return undefined;
}

/** Where the tool's own share of the propagation times stands. */
const FLOOR = 'probe-floor';

/** Names, sorted. Links are not followed: a run folder may come from anybody. */
async function entriesOf(folder: string, kind: 'folder' | 'file'): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter((entry) => (kind === 'folder' ? entry.isDirectory() : entry.isFile()))
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return [];
    throw error;
  }
}
