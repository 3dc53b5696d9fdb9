import { join } from 'node:path';
import {
  ensureDirectory,
  PRIVATE_DIRECTORY,
  PRIVATE_FILE,
  writeAtomic,
} from '../../platform/files.js';
import { kubeconfigOf } from '../kubeconfig-of.js';
import type { Cl2Launch } from './executor.js';

/** Writes the kubeconfig of a launch, with its one cluster in it, for our own eyes. Gives its file. */
export async function writeKubeconfig({
  secret,
  client,
  cluster,
}: Pick<Cl2Launch, 'secret' | 'client' | 'cluster'>): Promise<string> {
  await ensureDirectory(secret, PRIVATE_DIRECTORY);
  const file = join(secret, `${cluster.role}.kubeconfig`);
  await writeAtomic(file, kubeconfigOf(client.access, cluster.role), PRIVATE_FILE);
  return file;
}
