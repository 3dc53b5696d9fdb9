import { z } from 'zod';
import type { KubeObject } from '../../workload/kube/kube-client.js';

/** A named port of a container; unnamed ports cannot be named in a policy and are left out. */
export interface NamedPort {
  readonly name: string;
  readonly port: number;
  readonly protocol: string;
}

/** What we keep of a pod that has an endpoint: a few hundred bytes instead of the whole object. */
export interface PodView {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Empty when the pod has none (a static pod). */
  readonly serviceAccount: string;
  /** Pod addresses, the primary one first; never empty. */
  readonly addresses: readonly string[];
  readonly hostIp: string | undefined;
  readonly ports: readonly NamedPort[];
}

/** What we keep of a node. */
export interface NodeView {
  readonly name: string;
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Cilium's own annotations only. */
  readonly annotations: Readonly<Record<string, string>>;
  /** The first address of each of InternalIP and ExternalIP, in the order of the node's status. */
  readonly addresses: readonly { readonly type: string; readonly ip: string }[];
  readonly podCidrs: readonly string[];
  readonly bootId: string;
}

/**
 * The part of a pod that an agent would make an endpoint of, or undefined when it would make none:
 * no address yet, the host's network, or already ended (its sandbox is gone).
 */
export function podView(object: KubeObject): PodView | undefined {
  const parsed = podSchema.safeParse(object);
  if (!parsed.success) return undefined;
  const { metadata, spec, status } = parsed.data;
  const ended = status.phase === 'Succeeded' || status.phase === 'Failed';
  const addresses = status.podIPs.map(({ ip }) => ip).filter((ip) => ip !== '');
  if (addresses.length === 0 && status.podIP !== '') addresses.push(status.podIP);
  if (spec.hostNetwork || ended || addresses.length === 0) return undefined;
  return {
    namespace: metadata.namespace,
    name: metadata.name,
    uid: metadata.uid,
    labels: metadata.labels,
    serviceAccount: spec.serviceAccountName,
    addresses,
    hostIp: status.hostIP === '' ? undefined : status.hostIP,
    ports: namedPorts(spec.containers.flatMap(({ ports }) => ports)),
  };
}

/** The part of a node that its CiliumNode is made of. */
export function nodeView(object: KubeObject): NodeView | undefined {
  const parsed = nodeSchema.safeParse(object);
  if (!parsed.success) return undefined;
  const { metadata, spec, status } = parsed.data;
  return {
    name: metadata.name,
    uid: metadata.uid,
    labels: metadata.labels,
    annotations: Object.fromEntries(
      Object.entries(metadata.annotations).filter(([key]) => CILIUM_ANNOTATION.test(key)),
    ),
    addresses: firstOfEachType(status.addresses),
    podCidrs: spec.podCIDRs.length > 0 || spec.podCIDR === '' ? spec.podCIDRs : [spec.podCIDR],
    bootId: status.nodeInfo.bootID,
  };
}

/** Sorted by name and one a name, so that the written object does not change without a reason. */
function namedPorts(
  ports: readonly { name: string; containerPort: number; protocol: string }[],
): readonly NamedPort[] {
  const byName = new Map<string, NamedPort>();
  for (const { name, containerPort, protocol } of ports) {
    if (name !== '' && !byName.has(name)) {
      byName.set(name, { name, port: containerPort, protocol });
    }
  }
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function firstOfEachType(
  addresses: readonly { type: string; address: string }[],
): readonly { type: string; ip: string }[] {
  const first = new Map<string, string>();
  for (const { type, address } of addresses) {
    if (NODE_ADDRESS_TYPES.has(type) && address !== '' && !first.has(type)) {
      first.set(type, address);
    }
  }
  return [...first].map(([type, ip]) => ({ type, ip }));
}

/** Host names are not addresses. @see ParseNode in Cilium's pkg/k8s/node.go */
const NODE_ADDRESS_TYPES = new Set(['InternalIP', 'ExternalIP']);
/** The annotations that agents carry over. @see CiliumPrefixRegex in Cilium's pkg/annotation */
const CILIUM_ANNOTATION = /^([A-Za-z0-9]+\.)*cilium.io\//;

const text = z.string().default('');
const textMap = z.record(z.string(), z.string()).default({});
const metadata = z.object({
  name: z.string(),
  uid: z.string(),
  labels: textMap,
  annotations: textMap,
});
const podSchema = z.object({
  metadata: metadata.extend({ namespace: z.string() }),
  spec: z.object({
    hostNetwork: z.boolean().default(false),
    serviceAccountName: text,
    containers: z
      .array(
        z.object({
          ports: z
            .array(
              z.object({
                name: text,
                containerPort: z.number(),
                protocol: z.string().default('TCP'),
              }),
            )
            .default([]),
        }),
      )
      .default([]),
  }),
  status: z
    .object({
      phase: text,
      podIP: text,
      podIPs: z.array(z.object({ ip: text })).default([]),
      hostIP: text,
    })
    .prefault({}),
});
const nodeSchema = z.object({
  metadata,
  spec: z.object({ podCIDR: text, podCIDRs: z.array(z.string()).default([]) }).prefault({}),
  status: z
    .object({
      addresses: z.array(z.object({ type: z.string(), address: text })).default([]),
      nodeInfo: z.object({ bootID: text }).prefault({}),
    })
    .prefault({}),
});
