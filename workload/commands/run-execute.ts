import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunPlan } from '../../model/run-plan.js';
import { throwAll } from '../../model/user-error.js';
import { runBusy } from '../exec/errors.js';
import { openJournal, type Journal } from '../exec/journal.js';
import { refuseClustersInUse } from '../exec/other-runs.js';
import { runPaths, type RunPaths } from '../exec/run-paths.js';
import { prometheusOf } from '../exec/prometheus-of.js';
import { createProbeRunner } from '../exec/run-probes.js';
import { runScenario, type AttemptResult, type RunEnd } from '../exec/run-scenario.js';
import { writeFolder } from '../exec/write-folder.js';
import {
  closeClusters,
  connectClusters,
  roleOf,
  type ConnectedCluster,
} from '../inventory/cluster-connection.js';
import { preflight, type PreflightReport } from '../inventory/preflight.js';
import { usableClusters } from '../inventory/usable-clusters.js';
import type { Catalogue } from '../measure/catalogue.js';
import { ensureDirectory, writeAtomic } from '../platform/files.js';
import { acquireLock } from '../platform/lock.js';
import { utcSeconds } from '../results/file-name.js';
import { writeResults, type WrittenResults } from '../report/write-results.js';
import { planText } from '../scenario/plan-file.js';
import { NATIVE_ENGINE, type ChosenEngine } from './choose-engine.js';
import type { CommandContext } from './context.js';
import { openAccess } from './open-access.js';
import type { Target } from './run-target.js';

/** A run that has ended, with its folder. */
export interface ExecutedRun {
  readonly folder: string;
  readonly end: RunEnd;
  readonly results: WrittenResults;
}

/** What executing a plan needs besides it. */
export interface Execution {
  readonly catalogue: Catalogue;
  readonly target: Target;
  /** Where run folders stand. */
  readonly out: string;
  readonly context: CommandContext;
  /** @default - our own */
  readonly engine?: ChosenEngine;
}

/** Runs a plan in a folder of its own, from the first line of the journal to the report. */
export async function executePlan(plan: RunPlan, execution: Execution): Promise<ExecutedRun> {
  const { target, out, context } = execution;
  const paths = runPaths(join(out, plan.runId));
  const access = openAccess(() => Promise.resolve(paths.secret), context);
  const clusters = await connectClusters(target.inventory.clusters, access.source, context.clock);
  try {
    const gate = await passGate(clusters, context);
    const usable = usableClusters(clusters, gate);
    return await withRunLock(plan, paths, context, async () => {
      const end = await perform(plan, paths, usable, gate, execution);
      const timestamp = utcSeconds(new Date(context.clock.now()).toISOString()) ?? '';
      const results = await writeFolder(paths, () => writeResults(paths.root, { timestamp }));
      return { folder: paths.root, end, results };
    });
  } finally {
    await closeClusters(clusters);
    await access.close();
  }
}

/**
 * Refuses what makes every number of the run worthless: clusters in use, and clusters that cannot be
 * one mesh. What concerns one cluster alone is told by its attempt, and the others run.
 */
async function passGate(
  clusters: readonly ConnectedCluster[],
  context: CommandContext,
): Promise<PreflightReport> {
  const [, gate] = await Promise.all([
    refuseClustersInUse(clusters, context.signal),
    preflight(clusters, context),
  ]);
  throwAll(gate.problems.filter(({ code }) => SPOILS_ALL.has(code)));
  const progress = context.progress();
  for (const { problem, given } of gate.problems) {
    const text = given === undefined ? problem : `${problem}: ${given}`;
    progress.report({ subject: 'gate', state: 'failed', text });
  }
  return gate;
}

const SPOILS_ALL: ReadonlySet<string> = new Set([
  'inventory/same-id',
  'inventory/same-name',
  'inventory/overlapping-ranges',
]);

async function withRunLock<T>(
  { runId }: RunPlan,
  paths: RunPaths,
  context: CommandContext,
  deed: () => Promise<T>,
): Promise<T> {
  await writeFolder(paths, () => ensureDirectory(paths.root));
  const { processes, clock } = context;
  const lock = await writeFolder(paths, () =>
    acquireLock(paths.lock, { processes, clock, purpose: `meshscale run (${runId})` }),
  );
  if (lock.state === 'held') throw runBusy(paths.root, lock.holder);
  try {
    return await deed();
  } finally {
    await lock.release();
  }
}

async function perform(
  plan: RunPlan,
  paths: RunPaths,
  clusters: readonly ConnectedCluster[],
  gate: PreflightReport,
  { catalogue, context, engine = NATIVE_ENGINE }: Execution,
): Promise<RunEnd> {
  const { clock, signal } = context;
  const about = { plan, catalogue, clock };
  const journal = await beginFolder(plan, paths, context);
  if (plan.unmetNeeds.length > 0) return await tellUnmet(plan, journal);
  const metrics = new Map(clusters.map((one) => [roleOf(one), prometheusOf(one)]));
  const progress = context.progress();
  const probes = createProbeRunner({ plan, clusters, paths, clock, progress });
  const setting = {
    plan,
    catalogue,
    paths,
    journal,
    clusters,
    gate,
    metricsOf: (role: string) => metrics.get(role),
    scrapeInterval: SCRAPE_INTERVAL,
    probes,
    writeReport: (folder: string, result: AttemptResult) =>
      engine.writeReport(folder, result, about),
    createEngine: engine.createEngine,
    clock,
    progress,
    signal,
  } as const;
  try {
    return await runScenario(setting);
  } finally {
    probes.close();
    await rm(paths.secret, { recursive: true, force: true });
  }
}

function beginFolder(plan: RunPlan, paths: RunPaths, { clock }: CommandContext): Promise<Journal> {
  return writeFolder(paths, async () => {
    await ensureDirectory(paths.probes);
    await writeAtomic(paths.plan, planText(plan));
    return await openJournal(paths.journal, clock);
  });
}

/** Nothing is touched: the verdict of such a run is not-applicable, in a row of every cluster. */
async function tellUnmet({ runId, unmetNeeds }: RunPlan, journal: Journal): Promise<RunEnd> {
  const data = { runId, unmetNeeds };
  await journal.append({ event: 'run-started', data }, { event: 'run-ended', data });
  return { interrupted: false, cleaned: [] };
}

/**
 * Longer than between two scrapes of the local Prometheus (5 s). One that scrapes every 15 s has its
 * last scrape of a window before that window's end; only the newest values are a little older then.
 */
const SCRAPE_INTERVAL = 6_000;
