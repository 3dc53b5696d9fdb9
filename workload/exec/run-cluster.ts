import { roleOf, type ConnectedCluster } from '../inventory/cluster-connection.js';
import { millisecondsBetween } from '../platform/clock.js';
import type { CleanedCluster } from './clean-clusters.js';
import { cleanRun, isLost } from './clean-run.js';
import { observesTogether } from './observe-together.js';
import { mayTryAgain, RETRY_PAUSE } from './retry-policy.js';
import { runOnCluster, type OnClusterSetting, type RunOnCluster } from './run-on-cluster.js';

/** What all clusters of a run share. */
export interface ClusterRunSetting extends Omit<
  OnClusterSetting,
  'attempt' | 'after' | 'deadlineNs'
> {
  /** The attempt that each cluster is in now; written here, read by whoever writes the journal. */
  readonly attempts: Map<string, number>;
  /** Attempts of earlier runners that count against the bound. @default - this is the first runner */
  readonly failedBefore?: ReadonlyMap<string, number> | undefined;
}

/** How one cluster came out of a run. */
export interface ClusterRun extends RunOnCluster {
  /** @default - it is cleaned with the others at the end */
  readonly cleaned?: CleanedCluster | undefined;
}

/**
 * Takes one cluster through its attempts, within a time of its own that begins now. A cluster that
 * nobody observes is cleaned at once, so that it stands empty while others are still waiting for a place.
 */
export async function runCluster(
  cluster: ConnectedCluster,
  setting: ClusterRunSetting,
): Promise<ClusterRun> {
  const { plan, clock, attempts, sync } = setting;
  const role = roleOf(cluster);
  const deadlineNs = clock.monoNs() + BigInt(Math.round(plan.scenario.budget * 1e6));
  const together = observesTogether(plan.scenario);
  const first = attempts.get(role) ?? 1;
  const before = setting.failedBefore?.get(role) ?? 0;
  let after: string | undefined;
  try {
    for (let attempt = first; ; attempt += 1) {
      attempts.set(role, attempt);
      const run = await runOnCluster(cluster, { ...setting, attempt, after, deadlineNs });
      const left = millisecondsBetween(clock.monoNs(), deadlineNs);
      const again = mayTryAgain(run.record, { made: before + attempt - first + 1, together, left });
      if (!again || setting.signal.aborted) {
        return together ? run : { ...run, cleaned: await cleanOne(cluster, setting, run) };
      }
      after = codeOf(run);
      if (!(await prepareAgain(cluster, setting, after))) return run;
    }
  } finally {
    sync.leave(role);
  }
}

/** False when the cluster could not be brought back to where an attempt begins. */
async function prepareAgain(
  cluster: ConnectedCluster,
  setting: ClusterRunSetting,
  after: string,
): Promise<boolean> {
  const { clock, progress, signal } = setting;
  const text = `once more, because it may help: ${after}`;
  progress.report({ subject: roleOf(cluster), state: 'running', text });
  const [cleaned] = await cleanRun([cluster], setting);
  if (cleaned?.result.state !== 'clean') return false;
  await clock.sleep(RETRY_PAUSE, signal).catch(() => undefined);
  return !signal.aborted;
}

/** Undefined where nothing could be reached, and so nothing was made. */
async function cleanOne(
  cluster: ConnectedCluster,
  setting: ClusterRunSetting,
  { record }: RunOnCluster,
): Promise<CleanedCluster | undefined> {
  const lost = isLost(record.ending) ? [record.cluster] : [];
  const [cleaned] = await cleanRun([cluster], setting, new Set(lost));
  return cleaned;
}

function codeOf({ record: { ending } }: RunOnCluster): string {
  return ending.state === 'failed' ? ending.code : ending.state;
}
