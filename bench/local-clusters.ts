import { localKubeAccess, localMeshEtcdAccess, readMesh } from '../local/access.js';
import { createEtcdClient } from '../workload/kube/etcd/grpc-etcd-client.js';
import { createKubeClient } from '../workload/kube/http-kube-client.js';
import { systemClock as clock } from '../workload/platform/clock.js';
import type { ProbeCluster } from '../workload/probe/probe-plan.js';

/** The clusters of a local mesh, each with a namespace of ours. */
export interface LocalClusters {
  readonly clusters: readonly ProbeCluster[];
  readonly namespace: string;
  /** Removes the namespaces and closes the clients. */
  close(): Promise<void>;
}

/** Opens the mesh in `stateDir`. */
export async function openLocalClusters(
  stateDir: string,
  namespace: string,
): Promise<LocalClusters> {
  const clusters = await Promise.all(
    (await readMesh(stateDir)).inventory.clusters.map(async ({ role, ciliumName = role }) => ({
      role,
      ciliumName,
      kube: createKubeClient(await localKubeAccess(stateDir, role)),
      meshEtcd: createEtcdClient(await localMeshEtcdAccess(stateDir, role)),
    })),
  );
  for (const { kube } of clusters) await makeNamespace(kube, namespace);
  return {
    clusters,
    namespace,
    close: async () => {
      for (const { kube, meshEtcd } of clusters) {
        await kube.request('DELETE', `/api/v1/namespaces/${namespace}`);
        meshEtcd.close();
        await kube.close();
      }
    },
  };
}

async function makeNamespace(kube: ProbeCluster['kube'], name: string): Promise<void> {
  const metadata = { name, annotations: { 'clustermesh.cilium.io/global': 'true' } };
  const answer = await kube.request('POST', '/api/v1/namespaces', { metadata });
  if (!answer.ok && answer.reason !== 'AlreadyExists') throw new Error(answer.message);
  // Its service account is made by a controller, and without that no pod is admitted.
  const account = `/api/v1/namespaces/${name}/serviceaccounts/default`;
  for (let looks = 0; !(await kube.request('GET', account)).ok; looks += 1) {
    if (looks === MOST_LOOKS) throw new Error(`${name} got no service account`);
    await clock.sleep(100);
  }
}

const MOST_LOOKS = 300;
