import { readMesh, localKubeAccess, localMeshEtcdAccess } from '../../local/access.js';
import { stateDirectory } from '../../local/world.js';
import type { Inventory, InventoryCluster } from '../../model/inventory.js';
import type { MeshRates } from '../../model/run-plan.js';
import { notInThisRelease } from '../exec/errors.js';
import { type AccessSource } from '../inventory/cluster-connection.js';
import type { CommandContext } from './context.js';
import type { TargetFlags } from './run-flags.js';

/** The clusters that a command works on, and how they are reached. */
export interface Target {
  readonly inventory: Inventory;
  readonly accessOf: AccessSource;
  /** Rates of the mesh's limiters. @default - not known on this target */
  readonly rates?: MeshRates | undefined;
}

/** Finds the clusters that the flags name. */
export async function findTarget(flags: TargetFlags, context: CommandContext): Promise<Target> {
  const stateDir = stateDirectory(flags.state, context.env, context.cwd);
  if (flags.target === 'local') return await localTarget(stateDir);
  throw notInThisRelease(`--target ${flags.target}`, 'local or kubeconfig');
}

async function localTarget(stateDir: string): Promise<Target> {
  const { inventory, spec } = await readMesh(stateDir);
  return {
    inventory,
    accessOf,
    rates: { exporterPerSecond: spec.exportQps, kvstoremeshPerSecond: spec.meshQps },
  };
}

const accessOf: AccessSource = async ({ role, access }: InventoryCluster) => {
  if (access.kind !== 'local') throw notInThisRelease(access.kind, 'local');
  const { stateDir } = access;
  const [kube, meshEtcd] = await Promise.all([
    localKubeAccess(stateDir, role),
    localMeshEtcdAccess(stateDir, role),
  ]);
  return { kube, meshEtcd };
};
