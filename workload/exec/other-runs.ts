import { OBJECT_CONVENTIONS } from '../../model/object-conventions.js';
import type { Milliseconds } from '../../model/quantity.js';
import type { ConnectedCluster } from '../inventory/cluster-connection.js';
import { ownershipSelector } from '../native/ownership.js';
import { clustersInUse } from './errors.js';

/**
 * Refuses clusters on which objects of another run than `own` stand: two runs at once would measure
 * each other. A cluster that does not answer is none of those; its attempt will tell.
 */
export async function refuseClustersInUse(
  clusters: readonly ConnectedCluster[],
  own: string,
  signal: AbortSignal,
): Promise<void> {
  const found = await Promise.all(clusters.map((cluster) => runsOn(cluster, signal)));
  const all = found.flat().filter(({ run }) => run !== own);
  if (all.length > 0) throw clustersInUse(all);
}

async function runsOn(
  cluster: ConnectedCluster,
  signal: AbortSignal,
): Promise<readonly { readonly cluster: string; readonly run: string }[]> {
  if (cluster.state === 'unreachable') return [];
  const { kube, cluster: about } = cluster.connection;
  const query = { labelSelector: ownershipSelector(undefined) };
  try {
    const { items } = await kube.list('/api/v1/namespaces', { query, signal, timeout: TIMEOUT });
    const runs = new Set(
      items.map(({ metadata }) => metadata.labels?.[OBJECT_CONVENTIONS.runLabel] ?? 'unknown'),
    );
    return [...runs].map((run) => ({ cluster: about.role, run }));
  } catch {
    signal.throwIfAborted();
    return [];
  }
}

/** Ours, as long as preflight waits: one that needs longer is of no use for a measurement. */
const TIMEOUT: Milliseconds = 10_000;
