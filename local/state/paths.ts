import { join } from 'node:path';
import type { ClusterRole } from '../../model/cluster-identity.js';

/** The folder of what belongs to the mesh as a whole, and the role of its processes. */
export const MESH_ROLE = 'mesh';

/** Where everything of a local mesh stands, below its state folder. */
export interface MeshPaths {
  readonly root: string;
  readonly lock: string;
  /** Held while a run measures this mesh. */
  readonly runLock: string;
  readonly meshFile: string;
  readonly processFile: string;
  readonly linkFile: string;
  readonly pki: string;
  readonly prometheus: string;
  readonly logs: string;
  cluster(role: ClusterRole): ClusterPaths;
}

/** Where everything of one cluster stands. */
export interface ClusterPaths {
  readonly root: string;
  readonly pki: string;
  readonly data: string;
  readonly logs: string;
  readonly kubeconfig: string;
  readonly etc: string;
  /** One file per peer: kvstoremesh watches this folder. */
  readonly peers: string;
}

/** Names the places of a state folder; touches nothing. */
export function meshPaths(root: string): MeshPaths {
  return {
    root,
    lock: join(root, 'lock'),
    runLock: join(root, 'run.lock'),
    meshFile: join(root, 'mesh.json'),
    processFile: join(root, 'processes.json'),
    linkFile: join(root, 'links.json'),
    pki: join(root, 'pki'),
    prometheus: join(root, 'prometheus'),
    logs: join(root, 'logs'),
    cluster: (role) => clusterPaths(join(root, role)),
  };
}

function clusterPaths(root: string): ClusterPaths {
  return {
    root,
    pki: join(root, 'pki'),
    data: join(root, 'data'),
    logs: join(root, 'logs'),
    kubeconfig: join(root, 'kubeconfig'),
    etc: join(root, 'etc'),
    peers: join(root, 'etc', 'peers'),
  };
}
