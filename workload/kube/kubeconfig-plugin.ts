import type { RequestOptions } from 'node:https';
import { asError } from './deferred.js';
import type { KubeAccess } from './kube-client.js';
import type { Kubeconfig } from './kubeconfig-schema.js';

/**
 * Credentials from the exec plugin or auth provider of a context (kubelogin, gcloud …), through the
 * official client, which is loaded for this alone. Rejects with the plugin's own words.
 */
export async function pluginCredential(
  kubeconfig: Kubeconfig,
  context: string,
): Promise<KubeAccess['credential']> {
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  config.loadFromString(kubeconfig.text);
  config.setCurrentContext(context);
  const granted: RequestOptions = {};
  await config.applyToHTTPSOptions(granted).catch((error: unknown) => {
    // A parser's message quotes what it read, and that may be a token.
    throw error instanceof SyntaxError ? new Error('its output is not JSON') : asError(error);
  });
  const { cert, key } = granted;
  if (typeof cert === 'string' && typeof key === 'string') {
    return { kind: 'certificate', certPem: cert, keyPem: key };
  }
  const headers = granted.headers as Readonly<Record<string, unknown>> | undefined;
  const authorization = headers?.['Authorization'];
  if (typeof authorization !== 'string') throw new Error('it gave neither token nor certificate');
  return { kind: 'token', token: authorization.replace(/^Bearer /, '') };
}
