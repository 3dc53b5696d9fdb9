import { z } from 'zod';
import type { EtcdEntry } from '../kube/etcd/etcd-client.js';
import type { Subject } from './subject-holders.js';

/**
 * Where Cilium writes addresses and Services: `state` in the cluster's own etcd, `cache` in that of a
 * peer. Seen on a running mesh (exporter 1.15.19, kvstoremesh 1.20.2):
 * `cilium/state/ip/v1/default/10.1.20.1` → `cilium/cache/ip/v1/mesh-001/10.1.20.1`,
 * `cilium/state/services/v1/mesh-001/shop/web` → `cilium/cache/services/v1/mesh-001/shop/web`.
 */
export const MESH_KEYS = {
  ownAddresses: 'cilium/state/ip/v1/',
  cachedAddresses: 'cilium/cache/ip/v1/',
  /** Services of a namespace whose names begin so. */
  ownServices: (cluster: string, namespace: string, name: string) =>
    `cilium/state/services/v1/${cluster}/${namespace}/${name}`,
  cachedServices: (cluster: string, namespace: string, name: string) =>
    `cilium/cache/services/v1/${cluster}/${namespace}/${name}`,
} as const;

/** The subject of a pod's address in the own etcd. */
export function ownAddress(namespace: string, pod: string): string {
  return `${namespace}/${pod}`;
}

/** The subject of a pod's address in a peer's cache. */
export function cachedAddress(cluster: string, namespace: string, pod: string): string {
  return `${cluster}/${namespace}/${pod}`;
}

/** The subject of a Service that has a backend; the Service itself is its name. */
export function backendOf(service: string): string {
  return `${service} backend`;
}

/**
 * Reads address keys: they show the pod that has the address, so an address that is given out again
 * is not taken for that of the pod before. Values without `marker` are not ours and are not parsed.
 */
export function addressReader(marker: string): (entry: EtcdEntry) => readonly Subject[] {
  const bytes = Buffer.from(marker);
  return ({ key, value }) => {
    if (!bufferOf(value).includes(bytes)) return [];
    const parsed = addressValue.safeParse(jsonOf(value));
    if (!parsed.success) return [];
    const { IP: detail, K8sNamespace: namespace, K8sPodName: pod } = parsed.data;
    const [area, , , cluster = ''] = key.split('/').slice(1);
    const name =
      area === 'state' ? ownAddress(namespace, pod) : cachedAddress(cluster, namespace, pod);
    return [{ name, detail }];
  };
}

/** Reads Service keys: they show the Service, and that it has a backend. */
export function readService({ key, value }: EtcdEntry): readonly Subject[] {
  const service = key.slice(key.lastIndexOf('/') + 1);
  const parsed = serviceValue.safeParse(jsonOf(value));
  const [backend] = parsed.success ? Object.keys(parsed.data.backends ?? {}) : [];
  const known = { name: service };
  return backend === undefined ? [known] : [known, { name: backendOf(service), detail: backend }];
}

function bufferOf(value: Uint8Array): Buffer {
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}

function jsonOf(value: Uint8Array): unknown {
  try {
    return JSON.parse(bufferOf(value).toString());
  } catch {
    return undefined;
  }
}

/** @see IPIdentityPair in Cilium's pkg/identity */
const addressValue = z.object({ IP: z.string(), K8sNamespace: z.string(), K8sPodName: z.string() });

/** @see ClusterService in Cilium's pkg/clustermesh/store */
const serviceValue = z.object({ backends: z.record(z.string(), z.unknown()).nullish() });
