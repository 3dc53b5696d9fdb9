import type { KubeAnswer, KubeClient } from '../../workload/kube/kube-client.js';
import type { AgentMetrics } from './agent-metrics.js';
import { CILIUM_KINDS, collectionPath } from './cilium-kinds.js';
import { ownedParts, requestBody, type CiliumObject } from './cilium-objects.js';

/** What became of one write. `conflict`: what stands there is not what we thought. */
export type WriteResult =
  | { readonly state: 'written'; readonly uid: string }
  | { readonly state: 'gone' }
  | { readonly state: 'conflict'; readonly reason: string }
  | { readonly state: 'failed'; readonly reason: string };

/** What stands in the API server under the name of an object. */
export type ReadResult =
  | { readonly state: 'found'; readonly body: unknown }
  | { readonly state: 'gone' }
  | { readonly state: 'failed'; readonly reason: string };

/** Which object: enough of it to name it. */
export type ObjectName = Pick<CiliumObject, 'kind' | 'name' | 'namespace'>;

/** Writes of one object each; refusals are values. */
export interface ObjectWriter {
  create(object: CiliumObject): Promise<WriteResult>;
  /** Replaces all that is ours, if the object still has this uid. */
  replace(object: CiliumObject, uid: string): Promise<WriteResult>;
  remove(name: ObjectName, uid: string): Promise<WriteResult>;
  read(name: ObjectName): Promise<ReadResult>;
}

/**
 * One request a change. Our resource definitions have no status subresource, as Cilium's own for
 * CiliumEndpoint, so a POST carries the status too. Changes are JSON patches guarded by the uid, as
 * agents do it: they need no resourceVersion, hence no read before.
 */
export function createObjectWriter(client: KubeClient, metrics: AgentMetrics): ObjectWriter {
  const counted = async (
    name: ObjectName,
    verb: 'create' | 'patch' | 'delete',
    request: Promise<KubeAnswer>,
  ): Promise<WriteResult> => {
    const result = resultOf(await request);
    metrics.countWrite(name.kind, verb, result.state);
    return result;
  };
  return {
    create: (object) =>
      counted(
        object,
        'create',
        client.request('POST', collectionPath(object.kind, object.namespace), requestBody(object)),
      ),
    replace: (object, uid) =>
      counted(object, 'patch', client.patch(pathOf(object), 'json', patchOf(object, uid))),
    remove: (name, uid) =>
      counted(name, 'delete', client.request('DELETE', pathOf(name), guardedDelete(uid))),
    read: async (name) => readOf(await client.request('GET', pathOf(name))),
  };
}

function pathOf({ kind, name, namespace }: ObjectName): string {
  return `${collectionPath(kind, namespace)}/${name}`;
}

function patchOf(object: CiliumObject, uid: string): readonly unknown[] {
  const { labels, annotations, ownerReferences, payload } = ownedParts(object);
  return [
    { op: 'test', path: '/metadata/uid', value: uid },
    // "add" replaces a member that is there; an empty one is dropped by the API server.
    { op: 'add', path: '/metadata/labels', value: labels ?? {} },
    { op: 'add', path: '/metadata/annotations', value: annotations ?? {} },
    { op: 'add', path: '/metadata/ownerReferences', value: ownerReferences ?? [] },
    { op: 'add', path: `/${CILIUM_KINDS[object.kind].payload}`, value: payload },
  ];
}

function guardedDelete(uid: string): unknown {
  return { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid } };
}

function resultOf(answer: KubeAnswer): WriteResult {
  if (answer.ok) return { state: 'written', uid: uidOf(answer.body) };
  const { status, reason, message } = answer;
  if (status === 404 && reason === 'NotFound') return { state: 'gone' };
  // 409: the name is taken, or the uid is another. 422: so says the patch's own test.
  const text = `${status} ${reason}: ${message}`;
  return { state: status === 409 || status === 422 ? 'conflict' : 'failed', reason: text };
}

function readOf(answer: KubeAnswer): ReadResult {
  if (answer.ok) return { state: 'found', body: answer.body };
  const { status, reason, message } = answer;
  if (status === 404) return { state: 'gone' };
  return { state: 'failed', reason: `${status} ${reason}: ${message}` };
}

/** Empty for the answer to a deletion, which is a Status. */
function uidOf(body: unknown): string {
  if (typeof body !== 'object' || body === null || !('metadata' in body)) return '';
  const { metadata } = body;
  if (typeof metadata !== 'object' || metadata === null || !('uid' in metadata)) return '';
  return typeof metadata.uid === 'string' ? metadata.uid : '';
}
