import type { RunPlan } from '../../model/run-plan.js';
import { roleOf, type ConnectedCluster } from '../inventory/cluster-connection.js';
import type { PreflightReport } from '../inventory/preflight.js';
import type { CleanedCluster } from './clean-clusters.js';
import { cleanRun, isLost } from './clean-run.js';
import type { CreateEngine } from './create-engine.js';
import { fanOut } from './fan-out.js';
import type { Journal } from './journal.js';
import type { Parallelism } from './parallelism.js';
import { createPhaseSync } from './phase-sync.js';
import { reportAttempts, type ReportSetting } from './report-attempts.js';
import type { Resumption } from './resumption.js';
import { runCluster, type ClusterRun } from './run-cluster.js';
import type { ProbeRunner } from './run-probes.js';
import { setAsideProbes } from './set-aside-probes.js';
import { unlimited } from './unlimited.js';
import { writeFolder } from './write-folder.js';

/** Everything that a run needs. */
export interface RunSetting extends ReportSetting {
  readonly plan: RunPlan;
  readonly journal: Journal;
  readonly clusters: readonly ConnectedCluster[];
  /** What preflight found. */
  readonly gate: PreflightReport;
  readonly probes: ProbeRunner;
  /** How many clusters are loaded at once. @default - all of them */
  readonly parallel?: Parallelism | undefined;
  /** What an earlier runner of this run has done. @default - it is the first */
  readonly resumption?: Resumption | undefined;
  /** @default - our own engine */
  readonly createEngine?: CreateEngine | undefined;
  /** The first Ctrl-C. */
  readonly signal: AbortSignal;
}

/** How a run ended, besides what stands in its folder. */
export interface RunEnd {
  readonly interrupted: boolean;
  readonly cleaned: readonly CleanedCluster[];
}

/**
 * Runs the phases of a scenario on its clusters, cleans up, and leaves what was measured in the run
 * folder: outcomes, report folders, raw answers. An interrupted run does the same with what it has; a
 * resumed one keeps the clusters that were finished. Rejects with run/folder-unwritable; the clusters
 * are cleaned also then.
 */
export async function runScenario(setting: RunSetting): Promise<RunEnd> {
  const { journal, signal, paths, clusters } = setting;
  const onAbort = (): void => {
    journal.append({ event: 'interrupted' }).catch(() => undefined);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await writeFolder(paths, () => journal.append(...beginning(setting)));
    const runs = await prepareAndRun(setting).catch(async (error: unknown) => {
      await cleanRun(clusters, setting);
      throw error;
    });
    const cleaning = cleanRest(setting, runs);
    const unreported = (setting.resumption?.kept ?? []).filter(({ reported }) => !reported);
    await reportAttempts(setting, [...unreported, ...runs]).finally(() => cleaning);
    const cleaned = await cleaning;
    await writeFolder(paths, () =>
      journal.append({ event: 'run-ended', data: { interrupted: signal.aborted } }),
    );
    return { interrupted: signal.aborted, cleaned };
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function beginning({ plan, gate, resumption, parallel }: RunSetting) {
  const { runId, scenario, engine, seed } = plan;
  const data = {
    ...{ runId, scenario: scenario.name, engine, seed },
    ...(parallel === undefined ? {} : { parallel }),
    ...(resumption === undefined ? {} : { resumed: true }),
  };
  const { good, unseen } = gate;
  const problems = gate.problems.map(({ code, message }) => ({ code, message }));
  return [
    { event: 'run-started', data },
    { event: 'gate', data: { problems, good, unseen } },
  ] as const;
}

async function prepareAndRun(setting: RunSetting): Promise<readonly ClusterRun[]> {
  const { signal, resumption, paths, clusters } = setting;
  const kept = new Set(resumption?.kept.map(({ record }) => record.cluster));
  const waiting = clusters.filter((one) => !kept.has(roleOf(one)));
  if (waiting.length === 0) return [];
  if (resumption !== undefined) {
    await cleanRun(waiting, setting);
    await writeFolder(paths, () => setAsideProbes(paths.probes));
  }
  await setting.probes.prepare(signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  return await runAll(setting, waiting);
}

/** Rejects only once every cluster has stopped: what is cleaned then must not be written to any more. */
async function runAll(
  setting: RunSetting,
  clusters: readonly ConnectedCluster[],
): Promise<readonly ClusterRun[]> {
  const { plan, journal, clock, progress, parallel } = setting;
  const over = new AbortController();
  const stopping = new AbortController();
  const signal = unlimited(AbortSignal.any([setting.signal, stopping.signal]));
  const probes = unlimited(AbortSignal.any([signal, over.signal]));
  const attempts = new Map(setting.resumption?.next);
  const sync = createPhaseSync({
    ...{ journal, clock, progress },
    roles: clusters.filter(({ state }) => state === 'connected').map(roleOf),
    phases: plan.scenario.phases,
    attemptOf: (role) => attempts.get(role) ?? 1,
    startProbes: (phase, roles) => setting.probes.start(phase, roles, probes),
    leaveProbes: (role) => {
      setting.probes.leave(role);
    },
  });
  const on = { ...setting, signal, sync, attempts, failedBefore: setting.resumption?.failed };
  const stopAll = (error: unknown): never => {
    stopping.abort(error);
    throw error;
  };
  try {
    return await fanOut(clusters, parallel?.limit ?? clusters.length, (cluster) =>
      runCluster(cluster, on).catch(stopAll),
    );
  } finally {
    over.abort(new Error('the phases are over'));
  }
}

/** Cleans what has not been cleaned yet, and gives all. */
async function cleanRest(
  setting: RunSetting,
  runs: readonly ClusterRun[],
): Promise<readonly CleanedCluster[]> {
  const lost = runs.filter(({ record }) => isLost(record.ending));
  const done = runs.flatMap(({ cleaned }) => (cleaned === undefined ? [] : [cleaned]));
  const clean = new Set(done.map(({ cluster }) => cluster));
  const rest = setting.clusters.filter((one) => !clean.has(roleOf(one)));
  const roles = lost.map(({ record }) => record.cluster);
  const cleaned = [...done, ...(await cleanRun(rest, setting, new Set(roles)))];
  return cleaned.sort((one, other) => (one.cluster < other.cluster ? -1 : 1));
}
