import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { readMesh, localKubeAccess, localMeshEtcdAccess } from '../../local/access.js';
import { stateDirectory } from '../../local/world.js';
import type { Inventory } from '../../model/inventory.js';
import type { MeshRates } from '../../model/run-plan.js';
import { notInThisRelease } from '../exec/errors.js';
import type { AccessSource } from '../inventory/cluster-connection.js';
import { accessElsewhere } from '../inventory/errors.js';
import { kubeconfigInventory } from '../inventory/kubeconfig-inventory.js';
import { readInventory } from '../inventory/read-inventory.js';
import { accessFromKubeconfig } from '../kube/kubeconfig.js';
import type { CommandContext } from './context.js';
import type { TargetFlags } from './run-flags.js';

/** The clusters that a command works on. */
export interface Target {
  readonly inventory: Inventory;
  /** Rates of the mesh's limiters. @default - not known on this target */
  readonly rates?: MeshRates | undefined;
}

/** Finds the clusters that the flags name: a file, contexts, or the local mesh. */
export async function findTarget(flags: TargetFlags, context: CommandContext): Promise<Target> {
  if (flags.inventory !== undefined) {
    return { inventory: await readInventory(resolve(context.cwd, flags.inventory)) };
  }
  switch (flags.target) {
    case 'local':
      return await localTarget(stateDirectory(flags.state, context.env, context.cwd));
    case 'kubeconfig': {
      const contexts = (flags.contexts ?? '').split(',').filter((one) => one.trim() !== '');
      const files = kubeconfigFiles(flags.kubeconfig, context);
      const { clock, signal } = context;
      const { prometheusService } = flags;
      const request = { files, contexts, prometheusService, clock, signal };
      return { inventory: await kubeconfigInventory(request) };
    }
    case 'azure': {
      const { azureInventory } = await import('./azure-target.js');
      return { inventory: await azureInventory({}, context) };
    }
    default:
      throw notInThisRelease(`--target ${flags.target}`, 'local, kubeconfig or azure');
  }
}

/** How a cluster is reached without asking a cloud; `open-access` adds those of AKS. */
export const accessOfCluster: AccessSource = async ({ role, access }) => {
  switch (access.kind) {
    case 'local': {
      const { stateDir } = access;
      const kube = await localKubeAccess(stateDir, role);
      return { kube, meshEtcd: await localMeshEtcdAccess(stateDir, role) };
    }
    case 'kubeconfig':
      return { kube: await accessFromKubeconfig(access.file, access.context) };
    case 'aks':
      throw accessElsewhere(role, access.kind);
  }
};

async function localTarget(stateDir: string): Promise<Target> {
  const { inventory, spec } = await readMesh(stateDir);
  const rates = { exporterPerSecond: spec.exportQps, kvstoremeshPerSecond: spec.meshQps };
  return { inventory, rates };
}

/** As kubectl: the file of the flag, else those of `$KUBECONFIG` that are there, else `~/.kube/config`. */
function kubeconfigFiles(
  given: string | undefined,
  { env, cwd }: CommandContext,
): readonly [string, ...string[]] {
  if (given !== undefined) return [resolve(cwd, given)];
  const named = (env['KUBECONFIG'] ?? '').split(':').filter((one) => one !== '');
  const [first, ...others] = named.map((one) => resolve(cwd, one));
  if (first === undefined) return [join(env['HOME'] ?? homedir(), '.kube', 'config')];
  const [one = first, ...more] = [first, ...others].filter((file) => existsSync(file));
  return [one, ...more];
}
