import { rm } from 'node:fs/promises';
import { clusterRoles } from '../model/cluster-identity.js';
import { endInOrder } from './down.js';
import { leftovers } from './errors.js';
import type { MeshState } from './state/mesh-file.js';
import { MESH_ROLE, type MeshPaths } from './state/paths.js';
import { keyOf, type ProcessRecord } from './state/process-file.js';
import type { Supervision } from './supervise.js';
import type { LocalWorld } from './world.js';

/**
 * Removes the clusters above `count`: the kvstoremesh of every other cluster is ended first
 * (`connectClusters` starts it again without the leaving peers, and has their keys deleted), then
 * the processes of the leaving, then their files.
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
  const readers = by.table.all().filter(({ name }) => name === 'kvstoremesh');
  await end(readers, by);
  await end(
    by.table.all().filter(({ role }) => leaving.includes(role)),
    by,
  );
  for (const role of leaving) await rm(mesh.cluster(role).root, { recursive: true, force: true });
}

async function end(records: readonly ProcessRecord[], by: Supervision & LocalWorld): Promise<void> {
  const named = records.map((record) => ({ ...record, key: keyOf(record) }));
  const left = await endInOrder(named, by);
  if (left.length > 0) throw leftovers(left.map(({ key, pid }) => `process ${pid} (${key})`));
  for (const { role, name } of records) await by.table.remove(role, name);
}
