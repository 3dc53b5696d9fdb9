import { basename, join, resolve } from 'node:path';
import { cleanClusters, leftoversOf, type CleanedCluster } from '../exec/clean-clusters.js';
import { cleanupNeedsRun, runBusy, runLeftovers } from '../exec/errors.js';
import { openJournal } from '../exec/journal.js';
import { runPaths } from '../exec/run-paths.js';
import {
  closeClusters,
  connectClusters,
  type ConnectedCluster,
} from '../inventory/cluster-connection.js';
import { readIfThere } from '../platform/files.js';
import { acquireLock } from '../platform/lock.js';
import { readPlan } from '../scenario/plan-file.js';
import type { CommandContext } from './context.js';
import type { TargetFlags } from './run-flags.js';
import { findRun } from './run-status.js';
import { openAccess, temporaryFolder } from './open-access.js';
import { findTarget } from './run-target.js';
import { removeLeftContainers, stopOrphans } from './stop-orphans.js';

/** The flags of `cleanup`. */
export interface CleanupFlags extends TargetFlags {
  readonly all?: boolean;
  readonly out: string;
}

/** Removes what a run, or every run, has left on its clusters. */
export async function cleanupRuns(
  run: string | undefined,
  flags: CleanupFlags,
  context: CommandContext,
): Promise<void> {
  if (flags.all === true) {
    const { inventory } = await findTarget(flags, context);
    await removeLeftContainers(undefined, context);
    refuseLeft(await clean(inventory.clusters, undefined, context), context);
  } else if (run === undefined) {
    throw cleanupNeedsRun();
  } else {
    await cleanupRun(await findRun(run, resolve(context.cwd, flags.out)), context);
  }
}

async function cleanupRun(folder: string, context: CommandContext): Promise<void> {
  const paths = runPaths(folder);
  const { processes, clock } = context;
  const purpose = `meshscale cleanup (${basename(folder)})`;
  const lock = await acquireLock(paths.lock, { processes, clock, purpose });
  if (lock.state === 'held') throw runBusy(folder, lock.holder);
  try {
    const file = join(folder, 'plan.json');
    const text = await readIfThere(file);
    if (text === undefined) {
      tellNothing(context);
      return;
    }
    const plan = readPlan(text, file);
    await stopOrphans(plan, context);
    const cleaned = await clean(plan.inventory.clusters, plan.runId, context);
    const journal = await openJournal(paths.journal, clock);
    for (const { cluster, result } of cleaned) {
      await journal.append({ event: 'cleaned', cluster, data: { ...result } });
    }
    refuseLeft(cleaned, context);
  } finally {
    await lock.release();
  }
}

/** The plan is written before anything is touched: a run without one has left nothing. */
function tellNothing(context: CommandContext): void {
  if (context.wantsJson()) {
    context.output.json({ schemaVersion: 1, removed: 0, left: [], clusters: [] });
  } else context.output.data('0 namespaces removed: this run had not begun');
}

async function clean(
  clusters: Parameters<typeof connectClusters>[0],
  runId: string | undefined,
  context: CommandContext,
) {
  const { clock, signal } = context;
  const access = openAccess(temporaryFolder, context);
  const connected = await connectClusters(clusters, access.source, clock);
  try {
    const there = connected.filter((one) => !isGone(one));
    const progress = context.progress();
    const cleaned = await cleanClusters({ clusters: there, runId, clock, progress, signal });
    tellCleaned(cleaned, context);
    return cleaned;
  } finally {
    await closeClusters(connected);
    await access.close();
  }
}

/** On --json the one document has them already. */
function refuseLeft(cleaned: readonly CleanedCluster[], context: CommandContext): void {
  const left = leftoversOf(cleaned);
  if (left.length > 0 && !context.wantsJson()) throw runLeftovers(left);
}

function tellCleaned(cleaned: readonly CleanedCluster[], context: CommandContext): void {
  const removed = cleaned.reduce((sum, { result }) => sum + result.removed, 0);
  const left = leftoversOf(cleaned);
  if (context.wantsJson()) {
    context.output.json({ schemaVersion: 1, removed, left, clusters: cleaned });
    if (left.length > 0) context.exitWith('leftovers');
    return;
  }
  context.output.data(`${removed} namespaces removed from ${cleaned.length} clusters`);
}

/** A local mesh that is down took everything with it. */
function isGone(one: ConnectedCluster): boolean {
  return one.state === 'unreachable' && one.errors.every(({ code }) => code === 'mesh/not-there');
}
