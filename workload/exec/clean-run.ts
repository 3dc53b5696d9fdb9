import type { AttemptEnding } from '../../model/attempt-outcome.js';
import type { Milliseconds } from '../../model/quantity.js';
import type { RunPlan } from '../../model/run-plan.js';
import type { ConnectedCluster } from '../inventory/cluster-connection.js';
import type { Clock } from '../platform/clock.js';
import type { Progress } from '../platform/progress.js';
import { cleanClusters, type CleanedCluster } from './clean-clusters.js';
import type { Journal } from './journal.js';
import { unlimited } from './unlimited.js';

/** What the clean-up of a run works with. */
export interface CleanRunSetting {
  readonly plan: Pick<RunPlan, 'runId'>;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly progress: Progress;
}

/**
 * Removes what this run has made on these clusters and writes down what came of it. A lost one gets one
 * more chance only; where nothing could be reached nothing was made, and nothing is tried.
 */
export async function cleanRun(
  clusters: readonly ConnectedCluster[],
  { plan, journal, clock, progress }: CleanRunSetting,
  lost: ReadonlySet<string> = new Set(),
): Promise<readonly CleanedCluster[]> {
  const cleaned = await cleanClusters({
    ...{ clock, progress, runId: plan.runId },
    clusters: clusters.filter(({ state }) => state === 'connected'),
    // Not the run's signal: cleaning is what a Ctrl-C asks for.
    signal: unlimited(new AbortController().signal),
    budgetOf: (role) => (lost.has(role) ? LOST_BUDGET : undefined),
  });
  for (const { cluster, result } of cleaned) {
    await journal.append({ event: 'cleaned', cluster, data: { ...result } }).catch(() => undefined);
  }
  return cleaned;
}

/** Whether an attempt ended because its cluster could not be used any more. */
export function isLost(ending: AttemptEnding): boolean {
  return ending.state === 'failed' && ending.cause === 'infrastructure';
}

/** Ours: one more chance for a cluster that was lost; `cleanup` finds the rest. */
const LOST_BUDGET: Milliseconds = 20_000;
