import {
  UNKNOWN_FINGERPRINT,
  actualEndpoint,
  putEndpoint,
  type ActualEndpoint,
} from './actual-state.js';
import { fingerprint } from './canonical-json.js';
import { ciliumEndpoint, ownedParts } from './cilium-objects.js';
import type { PodView } from './cluster-views.js';
import { labelSetKey, securityLabels, type SecurityLabels } from './identity-labels.js';
import { knownObject } from './known-object.js';
import type { ObjectName, WriteResult } from './object-writer.js';
import { DONE, taskKey, type ReconcileContext } from './reconcile-context.js';
import type { TaskResult } from './work-queue.js';

/** Makes the CiliumEndpoint of one pod (`namespace/name`) what it should be. */
export async function reconcileEndpoint(
  context: ReconcileContext,
  key: string,
): Promise<TaskResult> {
  const { actual, clusterName, source } = context;
  const pod = source.pod(key);
  const have = actual.endpoints.get(key);
  if (pod === undefined) return await removeEndpoint(context, key, have);
  const namespaceLabels = source.namespaceLabels(pod.namespace);
  // The namespace is being told on another watch; its arrival brings its pods here again.
  if (namespaceLabels === undefined) return DONE;
  const { namespace, serviceAccount, labels: podLabels } = pod;
  const labels = securityLabels({
    podLabels,
    namespace,
    namespaceLabels,
    serviceAccount,
    clusterName,
  });
  const labelSet = labelSetKey(labels);
  const id = actual.allocator.hold(key, labelSet);
  if (id === undefined) return { state: 'failed', reason: 'every identity number is in use' };
  context.unusedSince.delete(labelSet);
  // An address must never name an identity that nobody can look up: the identity goes first.
  if (!actual.identities.has(labelSet)) {
    context.enqueue(taskKey.identity(labelSet));
    return DONE;
  }
  if (have !== undefined && have.ownerUid !== pod.uid) {
    // A new pod under an old name: as from another agent, the old object goes and a new one comes.
    const removed = await deleteEndpoint(context, key, have);
    if (removed.state !== 'done') return removed;
  }
  return await writeEndpoint(context, key, pod, id, labels);
}

async function writeEndpoint(
  context: ReconcileContext,
  key: string,
  pod: PodView,
  id: number,
  labels: SecurityLabels,
): Promise<TaskResult> {
  const { actual, writer } = context;
  const labelSet = labelSetKey(labels);
  const wanted = ciliumEndpoint(pod, id, labels);
  const print = fingerprint(ownedParts(wanted));
  const have = actual.endpoints.get(key);
  if (have?.fingerprint !== print) {
    if (have === undefined && waitsForAddress(context, key, pod)) return DONE;
    const written =
      have === undefined ? await writer.create(wanted) : await writer.replace(wanted, have.uid);
    if (written.state === 'failed') return unanswered(context, key, have, written);
    if (written.state !== 'written') return await relearn(context, key, written);
    context.uncertain.delete(taskKey.endpoint(key));
    putEndpoint(actual, key, {
      uid: written.uid,
      fingerprint: print,
      ownerUid: pod.uid,
      addresses: pod.addresses,
    });
    freeAddresses(context, have, pod.addresses);
  }
  leaveIdentities(context, key, labelSet);
  return DONE;
}

/**
 * The exporter deletes an address key when an endpoint with that address goes, whoever has the address
 * by then. KWOK gives a freed address out again at once, so the old endpoint has to go first. Only new
 * endpoints wait, and only for standing ones: so nobody waits in a circle.
 */
function waitsForAddress(context: ReconcileContext, key: string, pod: PodView): boolean {
  const { actual, source, waitingFor } = context;
  for (const ip of pod.addresses) {
    const holder = actual.holders.get(ip);
    if (holder === undefined || holder === key) continue;
    // Two pods that really have one address are not ours to sort out.
    const rival = source.pod(holder);
    if (rival?.addresses.includes(ip) === true) continue;
    waitingFor.set(ip, (waitingFor.get(ip) ?? new Set()).add(key));
    context.enqueue(taskKey.endpoint(holder));
    return true;
  }
  return false;
}

async function removeEndpoint(
  context: ReconcileContext,
  key: string,
  have: ActualEndpoint | undefined,
): Promise<TaskResult> {
  if (have === undefined && context.uncertain.has(taskKey.endpoint(key))) {
    return await relearn(context, key, { state: 'gone' });
  }
  const removed = have === undefined ? DONE : await deleteEndpoint(context, key, have);
  if (removed.state === 'done') leaveIdentities(context, key, undefined);
  return removed;
}

async function deleteEndpoint(
  context: ReconcileContext,
  key: string,
  have: ActualEndpoint,
): Promise<TaskResult> {
  const removed = await context.writer.remove(endpointName(key), have.uid);
  if (removed.state === 'failed') return removed;
  if (removed.state === 'conflict') return await relearn(context, key, removed);
  putEndpoint(context.actual, key, undefined);
  freeAddresses(context, have, []);
  return DONE;
}

/** Wakes those who wait for an address that this endpoint no longer has; they look at the state at once. */
function freeAddresses(
  { waitingFor, enqueue }: ReconcileContext,
  before: ActualEndpoint | undefined,
  kept: readonly string[],
): void {
  for (const ip of before?.addresses ?? []) {
    if (kept.includes(ip)) continue;
    for (const key of waitingFor.get(ip) ?? []) enqueue(taskKey.endpoint(key));
    waitingFor.delete(ip);
  }
}

function leaveIdentities(context: ReconcileContext, key: string, kept: string | undefined): void {
  for (const labels of context.actual.allocator.keepOnly(key, kept)) {
    context.unusedSince.set(labels, context.clock.monoNs());
    context.enqueueAfter(taskKey.identity(labels), context.identityGrace);
  }
}

/** Without an answer the deed may have been done or not; both are provided for. */
function unanswered(
  { actual, uncertain }: ReconcileContext,
  key: string,
  have: ActualEndpoint | undefined,
  result: TaskResult,
): TaskResult {
  if (have === undefined) uncertain.add(taskKey.endpoint(key));
  else putEndpoint(actual, key, { ...have, fingerprint: UNKNOWN_FINGERPRINT });
  return result;
}

async function relearn(
  { actual, uncertain, writer }: ReconcileContext,
  key: string,
  result: Exclude<WriteResult, { state: 'written' | 'failed' }>,
): Promise<TaskResult> {
  const read = await knownObject(writer, endpointName(key));
  if (read.state === 'failed') return read;
  uncertain.delete(taskKey.endpoint(key));
  putEndpoint(actual, key, read.state === 'gone' ? undefined : actualEndpoint(read.object));
  const reason = result.state === 'conflict' ? result.reason : 'it may be gone';
  return { state: 'failed', reason: `CiliumEndpoint ${key} is not what we thought: ${reason}` };
}

function endpointName(key: string): ObjectName {
  const slash = key.indexOf('/');
  return { kind: 'CiliumEndpoint', namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
