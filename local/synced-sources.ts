import type { EtcdClient } from '../workload/kube/etcd/etcd-client.js';

/**
 * The clusters of which the cache in this mesh etcd is complete: their kvstoremesh has written the
 * `cilium/synced/<source>/cilium/cache/…` keys. @see data/mesh-model.md §2
 */
export async function syncedSources(
  cache: Pick<EtcdClient, 'readPrefix'>,
): Promise<ReadonlySet<string>> {
  const { entries } = await cache.readPrefix('cilium/synced/');
  return new Set(
    entries
      .map(({ key }) => key.split('/'))
      .filter((parts) => parts.includes('cache'))
      .map(([, , source = '']) => source),
  );
}
