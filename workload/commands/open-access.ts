import { mkdtemp, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { aksAccess, type AksAccess } from '../inventory/aks-access.js';
import type { AccessSource } from '../inventory/cluster-connection.js';
import { openAzure, type CommandAzure } from './azure-world.js';
import type { CommandContext } from './context.js';
import { accessOfCluster } from './run-target.js';

/** Access to clusters of any kind, with what was fetched for it. */
export interface OpenAccess {
  readonly source: AccessSource;
  /** Removes the kubeconfigs that were fetched. */
  close(): Promise<void>;
}

/**
 * Opens access; kubeconfigs of AKS clusters go into the folder (0700) that `folderOf` gives. It is asked
 * for, and Azure is, only when there are such clusters.
 */
export function openAccess(folderOf: () => Promise<string>, context: CommandContext): OpenAccess {
  let opening: Promise<Opened> | undefined;
  const open = async (): Promise<Opened> => {
    const folder = await folderOf();
    const azure = await openAzure(context);
    const world = { azure: azure.azure, clock: azure.clock, signal: context.signal, folder };
    return { folder, azure, access: aksAccess(world) };
  };
  return {
    source: async (cluster) => {
      if (cluster.access.kind !== 'aks') return await accessOfCluster(cluster);
      opening ??= open();
      const { access } = await opening;
      return { kube: await access(cluster.role, cluster.access.resourceId) };
    },
    close: async () => {
      if (opening === undefined) return;
      const { folder, azure } = await opening;
      azure.close();
      await rm(folder, { recursive: true, force: true });
      // A run that was refused before it began leaves no folder either; one with files stays.
      await rmdir(dirname(folder)).catch(() => undefined);
    },
  };
}

interface Opened {
  readonly folder: string;
  readonly azure: CommandAzure;
  readonly access: AksAccess;
}

/** A folder for commands that have none of their own; `close` removes it. */
export async function temporaryFolder(): Promise<string> {
  return join(await mkdtemp(join(tmpdir(), 'meshscale-')), 'private');
}
