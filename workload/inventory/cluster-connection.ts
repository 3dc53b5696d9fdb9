import type { InventoryCluster } from '../../model/inventory.js';
import { userErrorsOf, type UserError } from '../../model/user-error.js';
import type { EtcdAccess } from '../kube/etcd/etcd-client.js';
import { createKubeClient } from '../kube/http-kube-client.js';
import type { KubeAccess, KubeClient } from '../kube/kube-client.js';
import type { Clock } from '../platform/clock.js';

/** A cluster of the inventory together with how it is reached. Secrets are held in memory only. */
export interface ClusterConnection {
  readonly cluster: InventoryCluster;
  readonly kube: KubeClient;
  /** The etcd that holds its exports and its cache of every peer. @default - it cannot be reached */
  readonly meshEtcd?: EtcdAccess | undefined;
}

/** Reached, or why not: a cluster that cannot be reached holds nobody else up. */
export type ConnectedCluster =
  | { readonly state: 'connected'; readonly connection: ClusterConnection }
  | {
      readonly state: 'unreachable';
      readonly cluster: InventoryCluster;
      readonly errors: readonly UserError[];
    };

/** Those that are reached. */
export function connectionsOf(clusters: readonly ConnectedCluster[]): readonly ClusterConnection[] {
  return clusters.flatMap((one) => (one.state === 'connected' ? [one.connection] : []));
}

/** Finds out how to reach a cluster; rejects with UserErrors when it cannot. */
export type AccessSource = (
  cluster: InventoryCluster,
) => Promise<{ readonly kube: KubeAccess; readonly meshEtcd?: EtcdAccess | undefined }>;

/** Makes a client for every cluster. Nothing is asked yet, except by the source itself. */
export async function connectClusters(
  clusters: readonly InventoryCluster[],
  accessOf: AccessSource,
  clock: Clock,
): Promise<readonly ConnectedCluster[]> {
  return await Promise.all(
    clusters.map(async (cluster): Promise<ConnectedCluster> => {
      try {
        const { kube, meshEtcd } = await accessOf(cluster);
        const client = createKubeClient(kube, { clock });
        return { state: 'connected', connection: { cluster, kube: client, meshEtcd } };
      } catch (error) {
        const errors = userErrorsOf(error);
        if (errors.length === 0) throw error;
        return { state: 'unreachable', cluster, errors };
      }
    }),
  );
}

/** The role of a cluster, reached or not. */
export function roleOf(one: ConnectedCluster): string {
  return one.state === 'connected' ? one.connection.cluster.role : one.cluster.role;
}

/** Closes the clients of those that were connected. */
export async function closeClusters(clusters: readonly ConnectedCluster[]): Promise<void> {
  await Promise.all(
    clusters.map(async (one) => {
      if (one.state === 'connected') await one.connection.kube.close();
    }),
  );
}
