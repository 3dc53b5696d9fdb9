import type { Milliseconds } from '../../../model/quantity.js';
import type { ClusterConnection } from '../../inventory/cluster-connection.js';
import { createEtcdClient } from '../../kube/etcd/grpc-etcd-client.js';
import type { Clock } from '../../platform/clock.js';
import { runPropagationProbes } from '../../probe/run-propagation-probes.js';
import { makeProbeNamespace } from '../probe-namespace.js';
import { SMOKE_NAMESPACE, smokeLabels } from './smoke-objects.js';

/** What a state-path smoke works with. */
export interface StatePathSmoke {
  readonly connections: readonly ClusterConnection[];
  readonly runId: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Where no packet can flow: a Service of each cluster has to come into the cache that every other one
 * keeps of it. Gives a text for each ordered pair in which it did not. What stands in a cache under the
 * name of a peer cannot be the reader's own, so no answer is taken for another's.
 */
export async function smokeStatePath(smoke: StatePathSmoke): Promise<readonly string[]> {
  const { connections, runId, clock, signal } = smoke;
  const labels = smokeLabels(runId);
  const annotations = { 'clustermesh.cilium.io/global': 'true' };
  const metadata = { name: SMOKE_NAMESPACE, labels, annotations };
  const refused = await Promise.all(
    connections.map(async ({ kube, cluster }) => {
      const made = await makeProbeNamespace(kube, metadata, { clock, signal });
      return made.ok ? [] : [`${cluster.role}: the namespace ${SMOKE_NAMESPACE}: ${made.text}`];
    }),
  );
  if (refused.flat().length > 0) return refused.flat();
  const clusters = connections.map(({ cluster, kube, meshEtcd }) => ({
    role: cluster.role,
    ciliumName: cluster.ciliumName ?? cluster.role,
    kube,
    meshEtcd: meshEtcd === undefined ? undefined : createEtcdClient(meshEtcd, { clock }),
  }));
  const missing: string[] = [];
  try {
    await runPropagationProbes({
      ...{ clusters, clock, signal, labels },
      plan: { ...PLAN, count: clusters.length },
      namespace: SMOKE_NAMESPACE,
      onResult: ({ src_cluster: source, peer_cluster: reader, propagation_ms: seen, reason }) => {
        if (seen !== null) return;
        missing.push(`${source} from ${reader}: ${reason ?? 'not seen'}`);
      },
    });
  } finally {
    for (const { meshEtcd } of clusters) meshEtcd?.close();
  }
  return missing;
}

/** Ours: an idle mesh carries a Service in milliseconds, one that still fills its caches in seconds. */
const BUDGET: Milliseconds = 30_000;

/** An EndpointSlice of our own: no pod has to start for it. */
const PLAN = {
  id: 'smoke',
  kind: 'service-backend',
  stimulus: 'endpoint-slice',
  intervalMs: 20,
  budgetMs: BUDGET,
} as const;
