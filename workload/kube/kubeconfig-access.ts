import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { UserError } from '../../model/user-error.js';
import { errorCode } from '../platform/files.js';
import { asError } from './deferred.js';
import type { KubeAccess } from './kube-client.js';
import { accessUnsupported, kubeconfigIncomplete, pluginFailed } from './errors.js';
import { pluginCredential } from './kubeconfig-plugin.js';
import type {
  Kubeconfig,
  KubeconfigCluster,
  KubeconfigContext,
  KubeconfigUser,
} from './kubeconfig-schema.js';

/** An access, complete only when there are no errors. */
export interface ResolvedAccess {
  readonly access: KubeAccess;
  readonly errors: readonly UserError[];
}

/** Follows a context to its cluster and user and reads what they point to. Collects all problems. */
export async function resolveAccess(
  kubeconfig: Kubeconfig,
  context: KubeconfigContext,
): Promise<ResolvedAccess> {
  const errors: UserError[] = [];
  const { file } = kubeconfig;
  const incomplete = (what: string): void => {
    errors.push(kubeconfigIncomplete(file, context.name, what));
  };
  const cluster = kubeconfig.clusters.get(context.cluster);
  if (cluster === undefined) incomplete(`there is no cluster "${context.cluster}"`);
  const user = kubeconfig.users.get(context.user);
  if (user === undefined && context.user !== '') incomplete(`there is no user "${context.user}"`);
  for (const what of unsupported(cluster ?? {}, user ?? {})) {
    errors.push(accessUnsupported(file, context.name, what));
  }
  const read = secretReader(file, incomplete);
  const connection = await connectionOf(cluster, read);
  const own = await ownCredential(user ?? {}, read, incomplete);
  if (!needsPlugin(user ?? {}, own) || errors.length > 0) {
    return { access: { ...connection, credential: own }, errors };
  }
  try {
    const credential = await pluginCredential(kubeconfig, context.name);
    return { access: { ...connection, credential }, errors };
  } catch (error) {
    const failed = pluginFailed(file, context.name, asError(error));
    return { access: { ...connection, credential: own }, errors: [failed] };
  }
}

function unsupported(cluster: Partial<KubeconfigCluster>, user: KubeconfigUser): string[] {
  return [
    ...(isGiven(cluster['proxy-url']) ? ['proxy-url'] : []),
    ...(isGiven(user.username) ? ['username and password'] : []),
    // Going on without it would act with more rights than the user asked for.
    ...(isGiven(user.as) ? ['impersonation (as)'] : []),
  ];
}

type Incomplete = (what: string) => void;
type ReadSecret = (name: string, data?: string, path?: string) => Promise<string | undefined>;

/** Reads `<name>-data` (base64) or the file `<name>`; data wins, as in client-go. */
function secretReader(kubeconfigFile: string, incomplete: Incomplete): ReadSecret {
  return async (name, data, path) => {
    if (data !== undefined) {
      const decoded = Buffer.from(data, 'base64').toString('utf8');
      if (decoded.includes('-----BEGIN')) return decoded;
      incomplete(`${name}-data is not a PEM in base64`);
    } else if (path !== undefined) {
      try {
        return await readFile(resolve(dirname(kubeconfigFile), path), 'utf8');
      } catch (error) {
        incomplete(`${name}: "${path}" cannot be read (${errorCode(error) ?? 'unknown'})`);
      }
    }
    return undefined;
  };
}

async function connectionOf(
  cluster: KubeconfigCluster | undefined,
  read: ReadSecret,
): Promise<Omit<KubeAccess, 'credential'>> {
  if (cluster === undefined) return { server: '' };
  return {
    server: cluster.server,
    caPem: await read(
      'certificate-authority',
      cluster['certificate-authority-data'],
      cluster['certificate-authority'],
    ),
    insecureSkipTlsVerify: cluster['insecure-skip-tls-verify'] ?? false,
    ...(isGiven(cluster['tls-server-name']) ? { tlsServerName: cluster['tls-server-name'] } : {}),
  };
}

/** A certificate wins over a token: AKS' kubeconfigs hold both. */
async function ownCredential(
  user: KubeconfigUser,
  read: ReadSecret,
  incomplete: Incomplete,
): Promise<KubeAccess['credential']> {
  const certPem = await read(
    'client-certificate',
    user['client-certificate-data'],
    user['client-certificate'],
  );
  const keyPem = await read('client-key', user['client-key-data'], user['client-key']);
  if (certPem !== undefined && keyPem !== undefined)
    return { kind: 'certificate', certPem, keyPem };
  if (certPem !== undefined) incomplete('a client-certificate has no client-key');
  const token = user.token ?? (await read('tokenFile', undefined, user.tokenFile))?.trim();
  return isGiven(token) ? { kind: 'token', token } : { kind: 'none' };
}

function needsPlugin(user: KubeconfigUser, own: KubeAccess['credential']): boolean {
  const named =
    (user.exec ?? undefined) !== undefined || (user['auth-provider'] ?? undefined) !== undefined;
  return named && own.kind === 'none';
}

function isGiven(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}
