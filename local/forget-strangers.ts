import { createEtcdClient } from '../workload/kube/etcd/grpc-etcd-client.js';
import type { EtcdAccess, EtcdClient } from '../workload/kube/etcd/etcd-client.js';
import { closedAtSignal } from './closed-at-signal.js';
import type { ClusterFacts } from './cluster-facts.js';

/** Where a kvstoremesh writes which clusters it knows. */
const KNOWN = 'cilium/cluster-config/';

/** Places of a kvstoremesh's cache, each followed by the name of the peer. @see data/mesh-model.md §2 */
const RESOURCES = ['nodes', 'services', 'serviceexports', 'endpointslices', 'identities', 'ip'];

/**
 * Deletes what a cluster's cache holds of clusters that are in the mesh no more.
 *
 * A kvstoremesh that only loses a peer's file keeps its keys for three minutes and then deletes them
 * at its rate limit; one that is started without the file never does. @see data/mesh-model.md §6
 */
export async function forgetStrangers(
  reader: ClusterFacts,
  clusters: readonly ClusterFacts[],
  signal: AbortSignal,
): Promise<void> {
  const members = new Set(clusters.map(({ role }) => role));
  await closedAtSignal(createEtcdClient(meshEtcdAccess(reader)), signal, async (etcd) => {
    const { entries } = await etcd.readPrefix(KNOWN);
    const known = entries.map(({ key }) => key.slice(KNOWN.length));
    for (const stranger of known.filter((name) => !members.has(name))) {
      await forget(etcd, stranger);
    }
  });
}

/** How a cluster's own mesh etcd is reached. */
export function meshEtcdAccess(cluster: ClusterFacts): EtcdAccess {
  const { caPem, certPem, keyPem } = cluster.credentials.mesh['mesh-etcd-client'];
  const endpoint = `https://127.0.0.1:${cluster.port('mesh-etcd-client')}`;
  return { endpoint, caPem, certPem, keyPem };
}

/** The entry by which it is known goes last, so that an interrupted deletion is done again. */
async function forget(etcd: EtcdClient, stranger: string): Promise<void> {
  for (const resource of RESOURCES) {
    await etcd.deletePrefix(`cilium/cache/${resource}/v1/${stranger}/`);
  }
  await etcd.deletePrefix(`cilium/synced/${stranger}/`);
  await etcd.delete(`${KNOWN}${stranger}`);
}
