import { X509Certificate } from 'node:crypto';
import type { Milliseconds } from '../../model/quantity.js';
import type { UserError } from '../../model/user-error.js';
import {
  connectionsOf,
  type ClusterConnection,
  type ConnectedCluster,
} from './cluster-connection.js';
import { otherMeshCa } from './errors.js';

/**
 * Whether the clusters trust each other: the fingerprint of the CA of the mesh is the same everywhere.
 * That each has a CA says nothing. @see data/latency-lab.md
 */
export async function checkMeshCa(
  clusters: readonly ConnectedCluster[],
  { signal }: { readonly signal: AbortSignal },
): Promise<{ problems: readonly UserError[]; good: readonly string[]; unseen: readonly string[] }> {
  const connections = connectionsOf(clusters);
  const found = await Promise.all(
    connections.map(async (one) => ({
      role: one.cluster.role,
      fingerprint: await fingerprintOf(one, signal),
    })),
  );
  const known = found.flatMap(({ role, fingerprint }) =>
    fingerprint === undefined ? [] : [{ role, fingerprint }],
  );
  const unseen = found.flatMap(({ role, fingerprint }) =>
    fingerprint === undefined ? [`${role}: the CA of its mesh could not be read`] : [],
  );
  const different = new Set(known.map(({ fingerprint }) => fingerprint));
  if (different.size > 1) return { problems: [otherMeshCa(known)], good: [], unseen };
  const good = known.length > 1 ? [`${known.length} clusters have the same mesh CA`] : [];
  return { problems: [], good, unseen };
}

/** SHA-256 of the certificate itself; the Secret also holds its key, which goes no further than here. */
async function fingerprintOf(
  { kube, meshEtcd }: ClusterConnection,
  signal: AbortSignal,
): Promise<string | undefined> {
  const pem = meshEtcd?.caPem ?? (await caOfSecret(kube, signal));
  if (pem === undefined) return undefined;
  try {
    return new X509Certificate(pem).fingerprint256;
  } catch {
    return undefined;
  }
}

async function caOfSecret(
  kube: ClusterConnection['kube'],
  signal: AbortSignal,
): Promise<string | undefined> {
  const answer = await kube.request('GET', SECRET, undefined, { signal, timeout: TIMEOUT });
  if (!answer.ok) return undefined;
  const { body } = answer;
  if (typeof body !== 'object' || body === null || !('data' in body)) return undefined;
  const { data } = body;
  if (typeof data !== 'object' || data === null || !('ca.crt' in data)) return undefined;
  const text = data['ca.crt'];
  return typeof text === 'string' ? Buffer.from(text, 'base64').toString() : undefined;
}

/** @see data/fleet-api.md, objects in each member's kube-system */
const SECRET = '/api/v1/namespaces/kube-system/secrets/cilium-ca';
const TIMEOUT: Milliseconds = 10_000;
