import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClusterRole } from '../model/cluster-identity.js';
import type { EtcdAccess } from '../workload/kube/etcd/etcd-client.js';
import type { KubeAccess } from '../workload/kube/kube-client.js';
import { meshNotThere } from './errors.js';
import { meshFile, type MeshState } from './state/mesh-file.js';
import { meshPaths } from './state/paths.js';
import { portOf } from './state/port-plan.js';

/** How to reach the API server of a local cluster as its administrator. */
export async function localKubeAccess(stateDir: string, role: ClusterRole): Promise<KubeAccess> {
  const state = await readMesh(stateDir);
  const { pki } = meshPaths(stateDir).cluster(role);
  return {
    server: `https://127.0.0.1:${portOf(state.ports, role, 'apiserver')}`,
    caPem: await readFile(join(pki, 'ca.crt'), 'utf8'),
    credential: {
      kind: 'certificate',
      certPem: await readFile(join(pki, 'admin.crt'), 'utf8'),
      keyPem: await readFile(join(pki, 'admin.key'), 'utf8'),
    },
  };
}

/** How to reach the mesh etcd of a local cluster: its exports and its cache of every peer. */
export async function localMeshEtcdAccess(
  stateDir: string,
  role: ClusterRole,
): Promise<EtcdAccess> {
  const state = await readMesh(stateDir);
  const paths = meshPaths(stateDir);
  const { pki } = paths.cluster(role);
  return {
    endpoint: `https://127.0.0.1:${portOf(state.ports, role, 'mesh-etcd-client')}`,
    caPem: await readFile(join(paths.pki, 'mesh-ca.crt'), 'utf8'),
    certPem: await readFile(join(pki, 'mesh-etcd-client.crt'), 'utf8'),
    keyPem: await readFile(join(pki, 'mesh-etcd-client.key'), 'utf8'),
  };
}

/** The state of the mesh in `stateDir`; throws mesh/not-there without one. */
export async function readMesh(stateDir: string): Promise<MeshState> {
  const state = await meshFile(meshPaths(stateDir).meshFile).read();
  if (state === undefined) throw meshNotThere(stateDir);
  return state;
}
