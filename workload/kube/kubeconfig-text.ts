import { stringify } from 'yaml';

/** One cluster, one user, one context. */
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

/** The text of a kubeconfig with a client certificate. It is a secret: write it 0600. */
export function kubeconfigText(parts: KubeconfigParts): string {
  const base64 = (pem: string): string => Buffer.from(pem).toString('base64');
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': parts.context,
    clusters: [
      {
        name: parts.cluster,
        cluster: { server: parts.server, 'certificate-authority-data': base64(parts.caPem) },
      },
    ],
    users: [
      {
        name: parts.user,
        user: {
          'client-certificate-data': base64(parts.certPem),
          'client-key-data': base64(parts.keyPem),
        },
      },
    ],
    contexts: [{ name: parts.context, context: { cluster: parts.cluster, user: parts.user } }],
  });
}
