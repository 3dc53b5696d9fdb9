import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';
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
    connect: connectOptions(access),
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

/** How a connection to this API server is made. */
export function connectOptions(access: KubeAccess): Record<string, unknown> {
  return { timeout: CONNECT_TIMEOUT, ...tlsOptions(access) };
}

function tlsOptions(access: KubeAccess): Record<string, unknown> {
  const { tlsServerName } = access;
  return {
    ...trust(access),
    ...(tlsServerName === undefined ? {} : { servername: tlsServerName }),
    ...(access.insecureSkipTlsVerify === true ? { rejectUnauthorized: false } : {}),
  };
}

/**
 * Certificates and key, parsed once for all connections: parsing was half of what a connection cost.
 * What cannot be parsed is left to the connection, whose failure the caller is told as any other.
 */
function trust({ credential, caPem }: KubeAccess): SecureContextOptions | Parsed {
  const given = {
    ...(caPem === undefined ? {} : { ca: caPem }),
    ...(credential.kind === 'certificate'
      ? { cert: credential.certPem, key: credential.keyPem }
      : {}),
  };
  try {
    return { secureContext: createSecureContext(given) };
  } catch {
    return given;
  }
}

interface Parsed {
  readonly secureContext: SecureContext;
}
