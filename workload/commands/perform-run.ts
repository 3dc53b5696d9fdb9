import { rm } from 'node:fs/promises';
import type { RunPlan } from '../../model/run-plan.js';
import { openJournal, type Journal } from '../exec/journal.js';
import type { Parallelism } from '../exec/parallelism.js';
import { prometheusOf } from '../exec/prometheus-of.js';
import type { AttemptResult } from '../exec/report-attempts.js';
import type { Resumption } from '../exec/resumption.js';
import type { RunPaths } from '../exec/run-paths.js';
import { createProbeRunner } from '../exec/run-probes.js';
import { runScenario, type RunEnd } from '../exec/run-scenario.js';
import { runSmoke } from '../exec/run-smoke.js';
import type { SmokeSetting } from '../exec/smoke/smoke.js';
import { writeFolder } from '../exec/write-folder.js';
import { roleOf, type ConnectedCluster } from '../inventory/cluster-connection.js';
import type { PreflightReport } from '../inventory/preflight.js';
import type { Catalogue } from '../measure/catalogue.js';
import { ensureDirectory, writeAtomic } from '../platform/files.js';
import { writeResults, type WrittenResults } from '../report/write-results.js';
import { utcSeconds } from '../results/file-name.js';
import { planText } from '../scenario/plan-file.js';
import { NATIVE_ENGINE, type ChosenEngine } from './choose-engine.js';
import type { CommandContext } from './context.js';

/** A run that has ended, with its folder. */
export interface ExecutedRun {
  readonly folder: string;
  readonly end: RunEnd;
  readonly results: WrittenResults;
}

/** What performing a run needs besides its plan. */
export interface Performance {
  readonly catalogue: Catalogue;
  readonly context: CommandContext;
  /** @default - our own */
  readonly engine?: ChosenEngine;
  /** @default - all at once */
  readonly parallel?: Parallelism | undefined;
  /** @default - none is made */
  readonly smoke?: Pick<SmokeSetting, 'mode' | 'image'> | undefined;
}

/** A run whose gate is passed. */
export interface Admitted {
  readonly plan: RunPlan;
  readonly paths: RunPaths;
  readonly clusters: readonly ConnectedCluster[];
  readonly gate: PreflightReport;
  readonly resumption?: Resumption;
}

/** Smoke test, load, clean-up, rows and report of a run. */
export async function perform(admitted: Admitted, performance: Performance): Promise<ExecutedRun> {
  const { plan, paths, resumption } = admitted;
  const { context } = performance;
  const journal =
    resumption === undefined
      ? await beginFolder(plan, paths, context)
      : await openJournal(paths.journal, context.clock);
  const unmet = plan.unmetNeeds.length > 0;
  const end = unmet ? await tellUnmet(plan, journal) : await drive(admitted, journal, performance);
  return await finished(paths, end, context);
}

async function drive(
  admitted: Admitted,
  journal: Journal,
  performance: Performance,
): Promise<RunEnd> {
  const { plan, paths, clusters, resumption } = admitted;
  const { catalogue, context, parallel, engine = NATIVE_ENGINE } = performance;
  const { clock, signal } = context;
  const about = { plan, catalogue, clock };
  const metrics = new Map(clusters.map((one) => [roleOf(one), prometheusOf(one)]));
  const progress = context.progress();
  const probes = createProbeRunner({ plan, clusters, paths, clock, progress });
  if (parallel !== undefined) {
    const text = `${parallel.limit} of ${clusters.length} clusters at once: ${parallel.reason}`;
    progress.report({ subject: 'gate', state: 'note', text });
  }
  try {
    const gate = await lookThrough(admitted, journal, performance);
    return await runScenario({
      ...{ plan, catalogue, paths, journal, clusters, gate, probes, clock, progress, signal },
      ...{ parallel, resumption },
      metricsOf: (role: string) => metrics.get(role),
      scrapeInterval: SCRAPE_INTERVAL,
      writeReport: (folder: string, result: AttemptResult) =>
        engine.writeReport(folder, result, about),
      createEngine: engine.createEngine,
    });
  } finally {
    probes.close();
    await rm(paths.secret, { recursive: true, force: true });
  }
}

/** What preflight found, and what a smoke test adds to it; none is made when nothing will be loaded. */
async function lookThrough(
  { plan, clusters, gate, resumption }: Admitted,
  journal: Journal,
  { smoke, context }: Performance,
): Promise<PreflightReport> {
  if (smoke === undefined || resumption?.next.size === 0) return gate;
  const { clock, signal } = context;
  const progress = context.progress();
  const world = { plan, journal, clusters, clock, progress, signal };
  const looked = await runSmoke({ ...smoke, ...world, runId: plan.runId });
  return {
    ...gate,
    good: [...gate.good, ...looked.good],
    unseen: [...gate.unseen, ...looked.unseen],
  };
}

/** Makes everything that stands at the top of a run folder. */
export async function finished(
  paths: RunPaths,
  end: RunEnd,
  { clock }: CommandContext,
): Promise<ExecutedRun> {
  const timestamp = utcSeconds(new Date(clock.now()).toISOString()) ?? '';
  const results = await writeFolder(paths, () => writeResults(paths.root, { timestamp }));
  return { folder: paths.root, end, results };
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
