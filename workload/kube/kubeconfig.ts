import { stringify } from 'yaml';
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

/** What a kubeconfig with one context holds. */
export interface KubeconfigParts {
  readonly cluster: string;
  readonly user: string;
  readonly context: string;
  /** `https://127.0.0.1:20011` */
  readonly server: string;
  readonly caPem: string;
  readonly certPem: string;
  readonly keyPem: string;
}

/** The text of a kubeconfig with everything in it. It holds a key: write it for its owner only. */
export function kubeconfigText(parts: KubeconfigParts): string {
  const { cluster, user, context, server, caPem, certPem, keyPem } = parts;
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: cluster, cluster: { server, 'certificate-authority-data': base64(caPem) } }],
    users: [
      {
        name: user,
        user: { 'client-certificate-data': base64(certPem), 'client-key-data': base64(keyPem) },
      },
    ],
    contexts: [{ name: context, context: { cluster, user } }],
    'current-context': context,
  });
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
