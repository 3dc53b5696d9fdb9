import type { KubeAccess } from '../kube/kube-client.js';
import { blockYaml } from './config-text.js';

/**
 * A kubeconfig with this one cluster in it: ClusterLoader2 takes the current context and knows no flag
 * for another, so that a file with several would sooner or later load the wrong one. It is a secret:
 * write it 0600. @see data/clusterloader2.md §5, trap 18
 */
export function kubeconfigOf(access: KubeAccess, role: string): string {
  return blockYaml({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': role,
    clusters: [{ name: role, cluster: clusterOf(access) }],
    users: [{ name: role, user: userOf(access) }],
    contexts: [{ name: role, context: { cluster: role, user: role } }],
  });
}

/** Texts that must appear in no log: the credential in every form in which it is written. */
export function secretsOf({ credential }: KubeAccess): readonly string[] {
  switch (credential.kind) {
    case 'certificate':
      return [base64(credential.keyPem)];
    case 'token':
      return [credential.token];
    case 'none':
      return [];
  }
}

function clusterOf({ server, caPem, insecureSkipTlsVerify, tlsServerName }: KubeAccess) {
  return {
    server,
    ...(caPem === undefined ? {} : { 'certificate-authority-data': base64(caPem) }),
    ...(insecureSkipTlsVerify === true ? { 'insecure-skip-tls-verify': true } : {}),
    ...(tlsServerName === undefined ? {} : { 'tls-server-name': tlsServerName }),
  };
}

function userOf({ credential }: KubeAccess): Readonly<Record<string, string>> {
  switch (credential.kind) {
    case 'certificate':
      return {
        'client-certificate-data': base64(credential.certPem),
        'client-key-data': base64(credential.keyPem),
      };
    case 'token':
      return { token: credential.token };
    case 'none':
      return {};
  }
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
