import { throwAll, UserErrors } from '../../model/user-error.js';
import { errorCode, readIfThere } from '../platform/files.js';
import type { KubeAccess } from './kube-client.js';
import { resolveAccess } from './kubeconfig-access.js';
import { kubeconfigUnreadable, unknownContext } from './errors.js';
import { parseKubeconfig, type Kubeconfig } from './kubeconfig-schema.js';

/** Reads a kubeconfig; throws all that is wrong with it as UserErrors. */
export async function readKubeconfig(file: string): Promise<Kubeconfig> {
  const content = await readIfThere(file).catch((error: unknown) => {
    throw kubeconfigUnreadable(file, `it cannot be read (${errorCode(error) ?? 'unknown'})`);
  });
  if (content === undefined) throw kubeconfigUnreadable(file, 'there is no such file');
  const parsed = parseKubeconfig(content, file);
  if (!parsed.ok) throw new UserErrors(parsed.errors);
  return parsed.kubeconfig;
}

/**
 * How to reach the cluster of a context, with every secret read into memory: from the file itself,
 * from the files it names (relative to its own folder), or by the credential plugin it names.
 * Throws all that is wrong as UserErrors. What a plugin gives may end after its own lifetime.
 */
export async function accessFromKubeconfig(file: string, context: string): Promise<KubeAccess> {
  const kubeconfig = await readKubeconfig(file);
  const chosen = kubeconfig.contexts.find(({ name }) => name === context);
  if (chosen === undefined) {
    const names = kubeconfig.contexts.map(({ name }) => name);
    throw unknownContext(file, context, names);
  }
  const { access, errors } = await resolveAccess(kubeconfig, chosen);
  throwAll(errors);
  return access;
}
