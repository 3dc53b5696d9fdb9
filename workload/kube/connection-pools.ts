import { Pool } from 'undici';
import type { Milliseconds } from '../../model/quantity.js';
import type { KubeAccess } from './kube-client.js';

/** The two pools of a client: a watch holds its connection for good and must not starve requests. */
export interface ConnectionPools {
  readonly requests: Pool;
  readonly watches: Pool;
  /** Breaks every connection. */
  destroy(): Promise<void>;
}

/**
 * How long an idle connection is kept: just below the 90 s after which the API server closes it, so
 * that we never write into a closing one, and above a probe's period, so that no probe pays for a
 * TLS handshake. @see IdleTimeout in k8s.io/apiserver pkg/server/secure_serving.go
 */
const KEEP_ALIVE: Milliseconds = 80_000;

/** Time for TCP and TLS. Ours: an API server that needs longer cannot be measured anyhow. */
const CONNECT_TIMEOUT: Milliseconds = 10_000;

/** Opens nothing yet: connections are made when they are needed. */
export function createPools(access: KubeAccess, connections: number): ConnectionPools {
  const shared = {
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE,
    keepAliveMaxTimeout: KEEP_ALIVE,
    // Limits are ours (deadlines): undici's own count from the last byte, not from the call.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: CONNECT_TIMEOUT, ...tlsOptions(access) },
  };
  const { origin } = new URL(access.server);
  const requests = new Pool(origin, { ...shared, connections });
  const watches = new Pool(origin, { ...shared, connections: null });
  return {
    requests,
    watches,
    destroy: async () => {
      await Promise.all([requests.destroy(), watches.destroy()]);
    },
  };
}

function tlsOptions(access: KubeAccess): Record<string, string | boolean> {
  const { credential, caPem, tlsServerName } = access;
  return {
    ...(caPem === undefined ? {} : { ca: caPem }),
    ...(tlsServerName === undefined ? {} : { servername: tlsServerName }),
    ...(access.insecureSkipTlsVerify === true ? { rejectUnauthorized: false } : {}),
    ...(credential.kind === 'certificate'
      ? { cert: credential.certPem, key: credential.keyPem }
      : {}),
  };
}
