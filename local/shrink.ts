import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { clusterRoles } from '../model/cluster-identity.js';
import { createEtcdClient } from '../workload/kube/etcd/grpc-etcd-client.js';
import { localMeshEtcdAccess } from './access.js';
import { endInOrder } from './down.js';
import { leftovers } from './errors.js';
import type { MeshState } from './state/mesh-file.js';
import { MESH_ROLE, type MeshPaths } from './state/paths.js';
import { keyOf } from './state/process-file.js';
import type { Supervision } from './supervise.js';
import type { LocalWorld } from './world.js';

/**
 * Removes the clusters above `count`: from their peers first (their kvstoremesh is ended, which
 * `connectClusters` starts again, and what it cached of the leaving is deleted), then their
 * processes, then their files.
 *
 * A kvstoremesh that only loses a peer's file keeps its keys for three minutes and then deletes them
 * at its rate limit. @see data/mesh-model.md §6
 */
export async function removeClusters(
  mesh: MeshPaths,
  state: MeshState,
  count: number,
  by: Supervision & LocalWorld,
): Promise<void> {
  const leaving = clusterRoles(state.spec.clusters).slice(count);
  if (leaving.length === 0) return;
  by.progress.report({
    subject: MESH_ROLE,
    state: 'running',
    text: `removing ${leaving.join(', ')}`,
  });
  for (const role of clusterRoles(Math.min(count, state.spec.clusters))) {
    await forgetPeers(mesh, role, leaving, by);
  }
  const records = by.table.all().filter(({ role }) => leaving.includes(role));
  const left = await endInOrder(
    records.map((record) => ({ ...record, key: keyOf(record) })),
    by,
  );
  if (left.length > 0) throw leftovers(left.map(({ key, pid }) => `process ${pid} (${key})`));
  for (const { role, name } of records) await by.table.remove(role, name);
  for (const role of leaving) await rm(mesh.cluster(role).root, { recursive: true, force: true });
}

async function forgetPeers(
  mesh: MeshPaths,
  role: string,
  leaving: readonly string[],
  by: Supervision & LocalWorld,
): Promise<void> {
  const record = by.table.find(role, 'kvstoremesh');
  if (record !== undefined) await endInOrder([{ ...record, key: keyOf(record) }], by);
  const store = by.table.find(role, 'mesh-etcd');
  for (const peer of leaving) await rm(join(mesh.cluster(role).peers, peer), { force: true });
  if (store === undefined || by.processes.state(store) !== 'running') return;
  const etcd = createEtcdClient(await localMeshEtcdAccess(mesh.root, role));
  try {
    for (const peer of leaving) await deletePeer(etcd, peer);
  } finally {
    etcd.close();
  }
}

/** Every place where a kvstoremesh writes what it knows of a peer. */
async function deletePeer(
  etcd: { deletePrefix(prefix: string): Promise<number> },
  peer: string,
): Promise<void> {
  const resources = ['nodes', 'services', 'serviceexports', 'endpointslices', 'identities', 'ip'];
  for (const resource of resources) await etcd.deletePrefix(`cilium/cache/${resource}/v1/${peer}/`);
  await etcd.deletePrefix(`cilium/cluster-config/${peer}`);
  await etcd.deletePrefix(`cilium/synced/${peer}/`);
}
