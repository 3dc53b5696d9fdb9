import { join } from 'node:path';
import type { InventoryCluster } from '../../model/inventory.js';
import type { RunPlan } from '../../model/run-plan.js';
import { runBusy } from '../exec/errors.js';
import type { ClusterMetrics } from '../exec/evaluate-cluster.js';
import { openJournal } from '../exec/journal.js';
import { refuseClustersInUse } from '../exec/other-runs.js';
import { runPaths, type RunPaths } from '../exec/run-paths.js';
import { createProbeRunner } from '../exec/run-probes.js';
import { runScenario, type AttemptResult, type RunEnd } from '../exec/run-scenario.js';
import { writeFolder } from '../exec/write-folder.js';
import {
  closeClusters,
  connectClusters,
  type ConnectedCluster,
} from '../inventory/cluster-connection.js';
import type { Catalogue } from '../measure/catalogue.js';
import { directHttp, prometheusSource } from '../measure/prometheus-source.js';
import { stampedSelection } from '../measure/selector.js';
import { ensureDirectory, writeAtomic } from '../platform/files.js';
import { acquireLock } from '../platform/lock.js';
import { utcSeconds } from '../results/file-name.js';
import { writeResults, type WrittenResults } from '../report/write-results.js';
import { planText } from '../scenario/plan.js';
import type { CommandContext } from './context.js';
import { writeNativeReport } from './run-report-folder.js';
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
}

/** Runs a plan in a folder of its own, from the first line of the journal to the report. */
export async function executePlan(plan: RunPlan, execution: Execution): Promise<ExecutedRun> {
  const { target, out, context } = execution;
  const paths = runPaths(join(out, plan.runId));
  const clusters = await connectClusters(target.inventory.clusters, target.accessOf, context.clock);
  try {
    await refuseClustersInUse(clusters, context.signal);
    return await withRunLock(plan, paths, context, async () => {
      const end = await perform(plan, paths, clusters, execution);
      const timestamp = utcSeconds(new Date(context.clock.now()).toISOString()) ?? '';
      const results = await writeFolder(paths, () => writeResults(paths.root, { timestamp }));
      return { folder: paths.root, end, results };
    });
  } finally {
    await closeClusters(clusters);
  }
}

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
  { catalogue, context }: Execution,
): Promise<RunEnd> {
  const { clock, signal } = context;
  const about = { plan, catalogue, clock };
  const journal = await writeFolder(paths, async () => {
    await ensureDirectory(paths.probes);
    await writeAtomic(paths.plan, planText(plan));
    return await openJournal(paths.journal, clock);
  });
  const byRole = new Map(plan.inventory.clusters.map((cluster) => [cluster.role, cluster]));
  const progress = context.progress();
  const probes = createProbeRunner({ plan, clusters, paths, clock, progress });
  const setting = {
    plan,
    catalogue,
    paths,
    journal,
    clusters,
    metricsOf: (role: string) => metricsOf(byRole.get(role)),
    scrapeInterval: SCRAPE_INTERVAL,
    probes,
    writeReport: (folder: string, result: AttemptResult) =>
      writeNativeReport(folder, result, about),
    clock,
    progress,
    signal,
  } as const;
  try {
    return await runScenario(setting);
  } finally {
    probes.close();
  }
}

function metricsOf(cluster: InventoryCluster | undefined): ClusterMetrics | undefined {
  const prometheus = cluster?.prometheus;
  if (cluster === undefined || prometheus?.url === undefined) return undefined;
  return {
    source: prometheusSource(directHttp(prometheus.url)),
    selection: stampedSelection(cluster.role),
  };
}

/** Longer than between two scrapes of the local Prometheus (5 s) and of our PodMonitors (15 s would be waited for by the drain). */
const SCRAPE_INTERVAL = 6_000;
