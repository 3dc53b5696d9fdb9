import { join } from 'node:path';
import type { RunPlan } from '../../model/run-plan.js';
import { throwAll } from '../../model/user-error.js';
import { runBusy } from '../exec/errors.js';
import { refuseClustersInUse } from '../exec/other-runs.js';
import { readResumption } from '../exec/resumption.js';
import { runPaths, type RunPaths } from '../exec/run-paths.js';
import { unlimited } from '../exec/unlimited.js';
import { writeFolder } from '../exec/write-folder.js';
import {
  closeClusters,
  connectClusters,
  type ConnectedCluster,
} from '../inventory/cluster-connection.js';
import { preflight, type PreflightReport } from '../inventory/preflight.js';
import { usableClusters } from '../inventory/usable-clusters.js';
import { ensureDirectory } from '../platform/files.js';
import { acquireLock } from '../platform/lock.js';
import type { CommandContext } from './context.js';
import { openAccess } from './open-access.js';
import { holdMeshes } from './hold-meshes.js';
import { finished, perform, type ExecutedRun, type Performance } from './perform-run.js';
import { stopOrphans } from './stop-orphans.js';

/** What executing a plan needs besides it. */
interface Execution extends Performance {
  /** Where run folders stand. */
  readonly out: string;
}

/** Runs a plan in a folder of its own, from the first line of the journal to the report. */
export async function executePlan(plan: RunPlan, execution: Execution): Promise<ExecutedRun> {
  const { out, context } = execution;
  const paths = runPaths(join(out, plan.runId));
  tellRun(plan, context);
  return await withClusters(plan, paths, context, async (clusters) => {
    const gate = await passGate(plan, clusters, context);
    return await withRunLock(plan, paths, context, () =>
      perform({ plan, paths, clusters: usableClusters(clusters, gate), gate }, execution),
    );
  });
}

/** First of all: whoever is cut off later needs the id for `resume` and `cleanup`. */
function tellRun({ runId, scenario, inventory }: RunPlan, context: CommandContext): void {
  const roles = inventory.clusters.map(({ role }) => role);
  const on = roles.length > 3 ? `${roles.length} clusters` : roles.join(', ');
  const text = `${runId}: ${scenario.name} on ${on}; Ctrl-C stops it and cleans up`;
  context.progress().report({ subject: 'run', state: 'note', text });
}

/**
 * Goes on with a run of which an earlier runner is gone. The lock comes first here: the folder is there,
 * and what stands on the clusters may be of a runner that is still at work.
 */
export async function resumePlan(
  plan: RunPlan,
  paths: RunPaths,
  performance: Performance,
): Promise<ExecutedRun> {
  const { context } = performance;
  return await withRunLock(plan, paths, context, async () => {
    await stopOrphans(plan, context);
    const resumption = await readResumption(plan, paths);
    if (resumption.over) return await finished(paths, { interrupted: false, cleaned: [] }, context);
    return await withClusters(plan, paths, context, async (clusters) => {
      const gate = await passGate(plan, clusters, context);
      const usable = usableClusters(clusters, gate);
      return await perform({ plan, paths, clusters: usable, gate, resumption }, performance);
    });
  });
}

async function withClusters<T>(
  plan: RunPlan,
  paths: RunPaths,
  context: CommandContext,
  deed: (clusters: readonly ConnectedCluster[]) => Promise<T>,
): Promise<T> {
  return await holdMeshes(plan, context, () => withConnections(plan, paths, context, deed));
}

async function withConnections<T>(
  { inventory }: RunPlan,
  paths: RunPaths,
  context: CommandContext,
  deed: (clusters: readonly ConnectedCluster[]) => Promise<T>,
): Promise<T> {
  // Every request to every cluster listens to it.
  unlimited(context.signal);
  const access = openAccess(() => Promise.resolve(paths.secret), context);
  const clusters = await connectClusters(inventory.clusters, access.source, context.clock);
  try {
    return await deed(clusters);
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
  { runId }: RunPlan,
  clusters: readonly ConnectedCluster[],
  context: CommandContext,
): Promise<PreflightReport> {
  const [, gate] = await Promise.all([
    refuseClustersInUse(clusters, runId, context.signal),
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
