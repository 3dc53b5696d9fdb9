import { createHash } from 'node:crypto';
import { CILIUM_API, CILIUM_KINDS, type CiliumKind } from './cilium-kinds.js';
import type { NodeView, PodView } from './cluster-views.js';
import { labelList, type SecurityLabels } from './identity-labels.js';
import { ownAddresses } from './node-addresses.js';

/** A reference to the object that another one lives and dies with. */
export interface Owner {
  readonly apiVersion: 'v1';
  readonly kind: 'Node' | 'Pod';
  readonly name: string;
  readonly uid: string;
}

/** An object as we write it: all of it is ours, nobody else writes to these kinds. */
export interface CiliumObject {
  readonly kind: CiliumKind;
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  readonly owner?: Owner | undefined;
  /** The value of the kind's payload field. */
  readonly payload: Readonly<Record<string, unknown>>;
}

/**
 * The CiliumNode of a node; undefined as long as the node has no address, for an agent waits for it.
 * @see mutateNodeResource in Cilium's pkg/nodediscovery
 */
export function ciliumNode(node: NodeView): CiliumObject | undefined {
  if (node.addresses.length === 0) return undefined;
  const own = ownAddresses(node.podCidrs);
  const internal = own === undefined ? [] : [{ type: 'CiliumInternalIP', ip: own.internal }];
  return {
    kind: 'CiliumNode',
    name: node.name,
    labels: node.labels,
    annotations: node.annotations,
    owner: { apiVersion: 'v1', kind: 'Node', name: node.name, uid: node.uid },
    payload: {
      addresses: [...node.addresses, ...internal],
      ipam: { podCIDRs: node.podCidrs },
      health: own === undefined ? {} : { ipv4: own.health },
      encryption: {},
      // A node of KWOK has none; agents write a UUID, which is a twentieth of the exported value.
      bootid: node.bootId === '' ? node.uid : node.bootId,
    },
  };
}

/**
 * The CiliumIdentity of a label set. Its own labels are those that may be labels of an object.
 * @see sanitizeK8sLabels in Cilium's pkg/k8s/identitybackend
 */
export function ciliumIdentity(id: number, labels: SecurityLabels): CiliumObject {
  const own = Object.entries(labels)
    .filter(([key, value]) => !key.startsWith(NAMESPACE_LABELS) && value.length <= LABEL_LENGTH)
    .map(([key, value]) => [key.slice(SOURCE.length), value]);
  return {
    kind: 'CiliumIdentity',
    name: String(id),
    labels: Object.fromEntries(own) as Record<string, string>,
    payload: labels,
  };
}

/** The CiliumEndpoint of a pod. @see GetCiliumEndpointStatus in Cilium's pkg/endpoint */
export function ciliumEndpoint(
  pod: PodView,
  identity: number,
  labels: SecurityLabels,
): CiliumObject {
  const policy = { enforcing: false, state: STATUS_DISABLED };
  return {
    kind: 'CiliumEndpoint',
    name: pod.name,
    namespace: pod.namespace,
    labels: pod.labels,
    owner: { apiVersion: 'v1', kind: 'Pod', name: pod.name, uid: pod.uid },
    payload: {
      id: endpointId(pod.uid),
      'external-identifiers': {
        'k8s-namespace': pod.namespace,
        'k8s-pod-name': pod.name,
        'pod-name': `${pod.namespace}/${pod.name}`,
      },
      identity: { id: identity, labels: labelList(labels) },
      networking: {
        addressing: [addressPair(pod.addresses)],
        ...(pod.hostIp === undefined ? {} : { node: pod.hostIp }),
      },
      encryption: {},
      policy: { ingress: policy, egress: policy },
      'visibility-policy-status': STATUS_DISABLED,
      state: 'ready',
      ...(pod.ports.length === 0 ? {} : { 'named-ports': pod.ports }),
    },
  };
}

/** The parts of an object that we write and compare, empty ones left out. */
export function ownedParts(object: CiliumObject): Readonly<Record<string, unknown>> {
  return {
    labels: filled(object.labels),
    annotations: filled(object.annotations),
    ownerReferences: object.owner === undefined ? undefined : [object.owner],
    payload: object.payload,
  };
}

/** The object as the API server takes it. */
export function requestBody(object: CiliumObject): Readonly<Record<string, unknown>> {
  const { labels, annotations, ownerReferences, payload } = ownedParts(object);
  const { name, namespace } = object;
  return {
    apiVersion: CILIUM_API,
    kind: object.kind,
    metadata: { name, namespace, labels, annotations, ownerReferences },
    [CILIUM_KINDS[object.kind].payload]: payload,
  };
}

/** Agents number endpoints from 1 to 65535 a node; ours follows from the pod, so a restart keeps it. */
function endpointId(uid: string): number {
  return 1 + (createHash('sha1').update(uid).digest().readUInt16BE(0) % 65_535);
}

function addressPair(addresses: readonly string[]): Readonly<Record<string, string>> {
  const ipv4 = addresses.find((ip) => !ip.includes(':'));
  const ipv6 = addresses.find((ip) => ip.includes(':'));
  return { ...(ipv4 === undefined ? {} : { ipv4 }), ...(ipv6 === undefined ? {} : { ipv6 }) };
}

function filled(
  map: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> | undefined {
  return map === undefined || Object.keys(map).length === 0 ? undefined : map;
}

/** What agents write for states that `--endpoint-status` (off by default) would show. */
const STATUS_DISABLED = '<status disabled>';
const SOURCE = 'k8s:';
/** Their keys can be longer than 63 characters, so Cilium keeps them out of the object's labels. */
const NAMESPACE_LABELS = 'k8s:io.cilium.k8s.namespace.labels';
/** Of a label's value in Kubernetes; the name of a service account may be longer. */
const LABEL_LENGTH = 63;
