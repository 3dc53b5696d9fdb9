import { z } from 'zod';
import type { KubeClient, KubeObject } from '../../workload/kube/kube-client.js';
import { fingerprint } from './canonical-json.js';
import { CILIUM_KINDS, collectionPath, type CiliumKind } from './cilium-kinds.js';
import {
  createIdentityAllocator,
  type IdentityAllocator,
  type IdentityRange,
} from './identity-allocator.js';
import { labelSetKey, labelSetKeyOfList, type LabelSetKey } from './identity-labels.js';

/**
 * Unlike every fingerprint: a change without an answer may have been made or not, so the next one is
 * made in any case.
 */
export const UNKNOWN_FINGERPRINT = '';

/** What we know of an object in the API server. */
export interface ActualObject {
  readonly uid: string;
  /** Of the parts that we write. */
  readonly fingerprint: string;
}

/** An identity, with the number it is stored under. */
export interface ActualIdentity extends ActualObject {
  readonly id: number;
}

/** An endpoint, with what decides how it may be replaced. */
export interface ActualEndpoint extends ActualObject {
  /** The uid of the pod it belongs to; another pod of the same name gets a new object. */
  readonly ownerUid: string;
  readonly addresses: readonly string[];
}

/** What stands in the API server, as far as we know: read at the start, then kept up by our own writes. */
export interface ActualState {
  readonly nodes: Map<string, ActualObject>;
  readonly identities: Map<LabelSetKey, ActualIdentity>;
  /** By `namespace/name`. */
  readonly endpoints: Map<string, ActualEndpoint>;
  /** Which endpoint has an address. */
  readonly holders: Map<string, string>;
  readonly allocator: IdentityAllocator;
  /** Identities that nobody can use: another number for the same labels, or outside the range. */
  readonly strays: Map<string, ActualObject>;
}

/**
 * Reads the three kinds and makes sense of them after any kind of end: identities keep their numbers,
 * endpoints keep theirs in use, and an identity that is gone while endpoints still carry its number
 * keeps the number too. Rejects with the client's UserError when the API server refuses.
 */
export async function readActualState(
  client: KubeClient,
  range: IdentityRange,
  signal: AbortSignal,
): Promise<ActualState> {
  const list = async (kind: CiliumKind): Promise<readonly KubeObject[]> =>
    (await client.list(collectionPath(kind), { signal })).items;
  const state: ActualState = {
    nodes: new Map(),
    identities: new Map(),
    endpoints: new Map(),
    holders: new Map(),
    allocator: createIdentityAllocator(range),
    strays: new Map(),
  };
  for (const object of await list('CiliumNode')) {
    state.nodes.set(object.metadata.name, actualObject('CiliumNode', object));
  }
  for (const object of byNumber(await list('CiliumIdentity'))) takeIdentity(state, object);
  for (const object of await list('CiliumEndpoint')) {
    putEndpoint(state, endpointKey(object), actualEndpoint(object));
    takeUse(state, object);
  }
  return state;
}

/** Puts an endpoint into the state, or takes it out. */
export function putEndpoint(
  state: ActualState,
  key: string,
  endpoint: ActualEndpoint | undefined,
): void {
  for (const ip of state.endpoints.get(key)?.addresses ?? []) {
    if (state.holders.get(ip) === key) state.holders.delete(ip);
  }
  if (endpoint === undefined) {
    state.endpoints.delete(key);
    return;
  }
  state.endpoints.set(key, endpoint);
  for (const ip of endpoint.addresses) state.holders.set(ip, key);
}

/** What we would have noted about an object had we written it just as it stands. */
export function actualObject(kind: CiliumKind, object: KubeObject): ActualObject {
  const { uid, labels, annotations, ownerReferences } = object.metadata;
  const payload = object[CILIUM_KINDS[kind].payload];
  return {
    uid: uid ?? '',
    fingerprint: fingerprint({ labels, annotations, ownerReferences, payload }),
  };
}

/** The same for an endpoint. */
export function actualEndpoint(object: KubeObject): ActualEndpoint {
  const networking = endpointSchema.safeParse(object).data?.status.networking;
  return {
    ...actualObject('CiliumEndpoint', object),
    ownerUid: object.metadata.ownerReferences?.[0]?.uid ?? '',
    addresses: (networking?.addressing ?? []).flatMap(({ ipv4, ipv6 }) =>
      [ipv4, ipv6].filter((ip) => ip !== undefined),
    ),
  };
}

/** The label set of a CiliumIdentity; undefined when it has none. */
export function labelsOfIdentity(object: KubeObject): LabelSetKey | undefined {
  const parsed = identitySchema.safeParse(object);
  return parsed.success ? labelSetKey(parsed.data['security-labels']) : undefined;
}

function takeIdentity(state: ActualState, object: KubeObject): void {
  const actual = actualObject('CiliumIdentity', object);
  const labels = labelsOfIdentity(object);
  const id = Number(object.metadata.name);
  if (labels === undefined || state.allocator.adopt(labels, id) !== 'adopted') {
    state.strays.set(object.metadata.name, actual);
    return;
  }
  state.identities.set(labels, { ...actual, id });
}

function takeUse(state: ActualState, object: KubeObject): void {
  const identity = endpointSchema.safeParse(object).data?.status.identity;
  if (identity === undefined) return;
  const labels = labelSetKeyOfList(identity.labels);
  state.allocator.adopt(labels, identity.id);
  if (state.allocator.idOf(labels) === identity.id) {
    state.allocator.hold(endpointKey(object), labels);
  }
}

function endpointKey({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}

/** Lowest number first: of two identities with the same labels the older one stays. */
function byNumber(objects: readonly KubeObject[]): readonly KubeObject[] {
  return [...objects].sort((a, b) => Number(a.metadata.name) - Number(b.metadata.name));
}

const identitySchema = z.object({ 'security-labels': z.record(z.string(), z.string()) });
const endpointSchema = z.object({
  status: z.object({
    identity: z.object({ id: z.number(), labels: z.array(z.string()).default([]) }).optional(),
    networking: z
      .object({
        addressing: z
          .array(z.object({ ipv4: z.string().optional(), ipv6: z.string().optional() }))
          .default([]),
      })
      .optional(),
  }),
});
