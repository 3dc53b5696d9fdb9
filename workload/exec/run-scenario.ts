import { join } from 'node:path';
import type { AttemptEnding } from '../../model/attempt-outcome.js';
import type { Milliseconds } from '../../model/quantity.js';
import type { RunPlan } from '../../model/run-plan.js';
import type { ConnectedCluster } from '../inventory/cluster-connection.js';
import type { PreflightReport } from '../inventory/preflight.js';
import type { Catalogue } from '../measure/catalogue.js';
import type { EngineFindings } from '../native/cluster-engine.js';
import type { Clock } from '../platform/clock.js';
import { ensureDirectory, writeAtomic } from '../platform/files.js';
import type { Progress } from '../platform/progress.js';
import { outcomeText, type AttemptRecord } from './attempt-record.js';
import type { CreateEngine } from './create-engine.js';
import { cleanClusters, type CleanedCluster } from './clean-clusters.js';
import { evaluateCluster, type ClusterMetrics, type ClusterValues } from './evaluate-cluster.js';
import type { Journal } from './journal.js';
import { createPhaseSync } from './phase-sync.js';
import { runOnCluster, type RunOnCluster } from './run-on-cluster.js';
import type { ProbeRunner } from './run-probes.js';
import type { RunPaths } from './run-paths.js';
import { unlimited } from './unlimited.js';
import { writeFolder } from './write-folder.js';

/** What an attempt gave, for whoever writes its report folder. */
export interface AttemptResult extends ClusterValues {
  readonly record: AttemptRecord;
  /** @default - the engine never ran */
  readonly findings?: EngineFindings | undefined;
}

/** Everything that a run needs. */
export interface RunSetting {
  readonly plan: RunPlan;
  readonly catalogue: Catalogue;
  readonly paths: RunPaths;
  readonly journal: Journal;
  readonly clusters: readonly ConnectedCluster[];
  /** What preflight found. */
  readonly gate: PreflightReport;
  /** The Prometheus of a cluster. */
  metricsOf(role: string): ClusterMetrics | undefined;
  /** How long after the end of a window Prometheus has scraped everything once more. */
  readonly scrapeInterval: Milliseconds;
  readonly probes: ProbeRunner;
  /** Writes a report folder in ClusterLoader2's format. */
  writeReport(folder: string, result: AttemptResult): Promise<void>;
  readonly clock: Clock;
  readonly progress: Progress;
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
 * Runs the phases of a scenario on all clusters at once, cleans up, and leaves what was measured in
 * the run folder: outcomes, report folders, raw answers. An interrupted run does the same with what
 * it has. Rejects with run/folder-unwritable; the clusters are cleaned also then.
 */
export async function runScenario(setting: RunSetting): Promise<RunEnd> {
  const { plan, journal, signal, paths } = setting;
  const onAbort = (): void => {
    journal.append({ event: 'interrupted' }).catch(() => undefined);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const { runId, scenario, engine, seed } = plan;
    const data = { runId, scenario: scenario.name, engine, seed };
    await writeFolder(paths, () =>
      journal.append(
        { event: 'run-started', data },
        { event: 'gate', data: gateData(setting.gate) },
      ),
    );
    const attempts = await prepareAndRun(setting).catch(async (error: unknown) => {
      await cleanAll(setting, []);
      throw error;
    });
    const cleaning = cleanAll(setting, attempts);
    const results = await evaluateAll(setting, attempts).finally(() => cleaning);
    const cleaned = await cleaning;
    await writeFolder(paths, async () => {
      for (const result of results) await writeResult(setting, result);
      await journal.append({ event: 'run-ended', data: { interrupted: signal.aborted } });
    });
    return { interrupted: signal.aborted, cleaned };
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

async function prepareAndRun(setting: RunSetting): Promise<readonly RunOnCluster[]> {
  const { signal } = setting;
  await setting.probes.prepare(signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  return await runAll(setting);
}

/** Rejects only once every cluster has stopped: what is cleaned then must not be written to any more. */
async function runAll(setting: RunSetting): Promise<readonly RunOnCluster[]> {
  const { plan, clusters, journal, clock, progress } = setting;
  const { scenario } = plan;
  const over = new AbortController();
  const stopping = new AbortController();
  const signal = unlimited(AbortSignal.any([setting.signal, stopping.signal]));
  const probes = unlimited(AbortSignal.any([signal, over.signal]));
  const connected = clusters.filter((one) => one.state === 'connected');
  const sync = createPhaseSync({
    roles: connected.map(({ connection }) => connection.cluster.role),
    phases: scenario.phases,
    attempt: FIRST_ATTEMPT,
    journal,
    clock,
    progress,
    startProbes: (phase, roles) => setting.probes.start(phase, roles, probes),
    leaveProbes: (role) => {
      setting.probes.leave(role);
    },
  });
  const deadlineNs = clock.monoNs() + BigInt(Math.round(scenario.budget * 1e6));
  const on = { ...setting, signal, sync, attempt: FIRST_ATTEMPT, deadlineNs };
  const stopAll = (error: unknown): never => {
    stopping.abort(error);
    throw error;
  };
  try {
    const running = clusters.map((cluster) => runOnCluster(cluster, on).catch(stopAll));
    await Promise.allSettled(running);
    return await Promise.all(running);
  } finally {
    over.abort(new Error('the phases are over'));
  }
}

async function cleanAll(
  setting: RunSetting,
  attempts: readonly RunOnCluster[],
): Promise<readonly CleanedCluster[]> {
  const { plan, journal } = setting;
  const lost = attempts.filter(({ record: { ending } }) => isLost(ending));
  const lostRoles = new Set(lost.map(({ record }) => record.cluster));
  const budgetOf = (role: string) => (lostRoles.has(role) ? LOST_BUDGET : undefined);
  // Not the run's signal: cleaning is what a Ctrl-C asks for.
  const signal = unlimited(new AbortController().signal);
  // Nothing was made where nothing could be reached.
  const clusters = setting.clusters.filter(({ state }) => state === 'connected');
  const request = { ...setting, clusters, runId: plan.runId, signal, budgetOf };
  const cleaned = await cleanClusters(request);
  for (const { cluster, result } of cleaned) {
    await journal.append({ event: 'cleaned', cluster, data: { ...result } }).catch(() => undefined);
  }
  return cleaned;
}

async function evaluateAll(
  setting: RunSetting,
  attempts: readonly RunOnCluster[],
): Promise<readonly AttemptResult[]> {
  const { clock, scrapeInterval, paths, progress } = setting;
  const signal = unlimited(new AbortController().signal);
  // The last scrape inside a window may still be under way; what came after the windows was time enough.
  const wait = lastMeasured(setting.plan, attempts) + scrapeInterval - clock.now();
  if (wait > 0) await clock.sleep(wait);
  await ensureDirectory(paths.metrics).catch(() => undefined);
  return await Promise.all(
    attempts.map(async ({ record, findings }) => {
      const { cluster } = record;
      progress.report({ subject: cluster, state: 'running', text: 'reading its Prometheus' });
      const metrics = setting.metricsOf(cluster);
      const rawFile = join(paths.metrics, `${cluster}.jsonl`);
      const values = await evaluateCluster({ ...setting, record, metrics, rawFile, signal });
      return { record, findings, ...values };
    }),
  );
}

/** When the last window of a measurement ended, in any cluster; UTC milliseconds, 0 without any. */
function lastMeasured({ expected }: RunPlan, attempts: readonly RunOnCluster[]): Milliseconds {
  const last = new Set(expected.map(({ through }) => through));
  const ends = attempts.flatMap(({ record }) => {
    const reached = record.phases.filter(({ name }) => last.has(name));
    // One that did not come so far is evaluated until its end.
    const whole = reached.length === last.size;
    return whole ? reached.map(({ endedAt }) => endedAt) : [record.endedAt];
  });
  return Math.max(0, ...ends);
}

async function writeResult(setting: RunSetting, result: AttemptResult): Promise<void> {
  const { cluster, attempt, ending } = result.record;
  const { report, outcome } = setting.paths.attempt(cluster, attempt);
  await setting.writeReport(report, result);
  // Again, now with the reasons of values that are not there.
  await writeAtomic(outcome, outcomeText(result.record, result.notes));
  if (ending.state !== 'failed') {
    setting.progress.report({ subject: cluster, state: 'done', text: ending.state });
  }
}

function gateData({ problems, good, unseen }: PreflightReport): Record<string, unknown> {
  return { problems: problems.map(({ code, message }) => ({ code, message })), good, unseen };
}

function isLost(ending: AttemptEnding): boolean {
  return ending.state === 'failed' && ending.cause === 'infrastructure';
}

const FIRST_ATTEMPT = 1;
/** Ours: one more chance for a cluster that was lost; `cleanup` finds the rest. */
const LOST_BUDGET: Milliseconds = 20_000;
