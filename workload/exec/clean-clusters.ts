import type { Milliseconds } from '../../model/quantity.js';
import { durationText } from '../../model/quantity.js';
import type { ConnectedCluster } from '../inventory/cluster-connection.js';
import { cleanUp, type CleanUpResult } from '../native/clean-up.js';
import type { Clock } from '../platform/clock.js';
import type { Progress } from '../platform/progress.js';

/** What is to be cleaned. */
export interface CleanRequest {
  readonly clusters: readonly ConnectedCluster[];
  /** @default - of every run */
  readonly runId?: string | undefined;
  readonly clock: Clock;
  readonly progress: Progress;
  readonly signal: AbortSignal;
  /** How long cleaning may take there. @default 5 min everywhere */
  readonly budgetOf?: ((role: string) => Milliseconds | undefined) | undefined;
}

/** One cluster after cleaning. */
export interface CleanedCluster {
  readonly cluster: string;
  readonly result: CleanUpResult;
}

/** Removes what is ours from all clusters at once; one that cannot be reached is listed as left. */
export async function cleanClusters(request: CleanRequest): Promise<readonly CleanedCluster[]> {
  const { clusters, progress } = request;
  return await Promise.all(
    clusters.map(async (one) => {
      if (one.state === 'unreachable') {
        const left = one.errors.map(({ problem }) => `not known: ${problem}`);
        return { cluster: one.cluster.role, result: { state: 'left', removed: 0, left } };
      }
      const { cluster, kube } = one.connection;
      progress.report({ subject: cluster.role, state: 'running', text: 'cleaning up' });
      const budget = request.budgetOf?.(cluster.role) ?? CLEAN_BUDGET;
      const result = await cleanUp({ ...request, budget, client: kube });
      tell(cluster.role, result, progress);
      return { cluster: cluster.role, result };
    }),
  );
}

/** Everything that is left, with the cluster that it is on. */
export function leftoversOf(cleaned: readonly CleanedCluster[]): readonly string[] {
  return cleaned.flatMap(({ cluster, result }) =>
    result.state === 'left' ? result.left.map((text) => `${cluster}: ${text}`) : [],
  );
}

function tell(subject: string, result: CleanUpResult, progress: Progress): void {
  if (result.state === 'left') {
    progress.report({ subject, state: 'failed', text: `left: ${result.left.join('; ')}` });
    return;
  }
  const text = `clean: ${result.removed} namespaces removed (${durationText(result.elapsed)})`;
  progress.report({ subject, state: 'note', text });
}

/** Ours: a local cluster removes 200 pods in about 15 s, one on Azure in a minute. */
const CLEAN_BUDGET: Milliseconds = 300_000;
