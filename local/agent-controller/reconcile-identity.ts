import { millisecondsBetween } from '../../workload/platform/clock.js';
import { UNKNOWN_FINGERPRINT, actualObject, labelsOfIdentity } from './actual-state.js';
import { ciliumIdentity } from './cilium-objects.js';
import { securityLabelsOf, type LabelSetKey } from './identity-labels.js';
import { knownObject } from './known-object.js';
import { DONE, taskKey, type ReconcileContext } from './reconcile-context.js';
import type { TaskResult } from './work-queue.js';

/** Makes the CiliumIdentity of one label set exist as long as it has users, and the grace after. */
export async function reconcileIdentity(
  context: ReconcileContext,
  labels: LabelSetKey,
): Promise<TaskResult> {
  const { actual, clock, identityGrace, unusedSince } = context;
  if (actual.allocator.users(labels).length > 0) {
    unusedSince.delete(labels);
    return actual.identities.has(labels) ? DONE : await createIdentity(context, labels);
  }
  const since = unusedSince.get(labels) ?? clock.monoNs();
  unusedSince.set(labels, since);
  const left = identityGrace - millisecondsBetween(since, clock.monoNs());
  return left > 0 ? { state: 'later', delay: left } : await removeIdentity(context, labels);
}

/** Removes an identity that stands for nothing: another number has its labels, or it is out of range. */
export async function reconcileStray(context: ReconcileContext, name: string): Promise<TaskResult> {
  const { actual, writer } = context;
  const have = actual.strays.get(name);
  if (have === undefined) return DONE;
  const removed = await writer.remove({ kind: 'CiliumIdentity', name }, have.uid);
  if (removed.state === 'failed') return removed;
  actual.strays.delete(name);
  return DONE;
}

async function createIdentity(context: ReconcileContext, labels: LabelSetKey): Promise<TaskResult> {
  const { actual, enqueue, uncertain, writer } = context;
  const id = actual.allocator.idOf(labels);
  if (id === undefined) return DONE;
  const object = ciliumIdentity(id, securityLabelsOf(labels));
  const written = await writer.create(object);
  if (written.state === 'failed') {
    uncertain.add(taskKey.identity(labels));
    return written;
  }
  if (written.state === 'written') {
    actual.identities.set(labels, { uid: written.uid, fingerprint: UNKNOWN_FINGERPRINT, id });
  } else {
    const taken = await takeWhatStands(context, labels, id);
    if (taken.state !== 'done') return taken;
  }
  uncertain.delete(taskKey.identity(labels));
  for (const user of actual.allocator.users(labels)) enqueue(taskKey.endpoint(user));
  return DONE;
}

/** The number is in use: by us before an answer was lost, or by somebody else for other labels. */
async function takeWhatStands(
  { actual, uncertain, writer }: ReconcileContext,
  labels: LabelSetKey,
  id: number,
): Promise<TaskResult> {
  const read = await knownObject(writer, { kind: 'CiliumIdentity', name: String(id) });
  if (read.state === 'failed') return read;
  uncertain.delete(taskKey.identity(labels));
  if (read.state === 'found' && labelsOfIdentity(read.object) === labels) {
    actual.identities.set(labels, { ...actualObject('CiliumIdentity', read.object), id });
    return DONE;
  }
  if (read.state === 'gone') return { state: 'failed', reason: `identity ${id} is gone` };
  actual.allocator.renumber(labels);
  return { state: 'failed', reason: `identity ${id} stands for other labels` };
}

async function removeIdentity(context: ReconcileContext, labels: LabelSetKey): Promise<TaskResult> {
  const { actual, enqueue, uncertain, unusedSince, writer } = context;
  const id = actual.allocator.idOf(labels);
  if (id !== undefined && uncertain.has(taskKey.identity(labels))) {
    const looked = await takeWhatStands(context, labels, id);
    if (looked.state === 'failed' && uncertain.has(taskKey.identity(labels))) return looked;
  }
  const have = actual.identities.get(labels);
  if (have !== undefined) {
    // From here on it counts as gone, so that a new user waits and does not name it meanwhile.
    actual.identities.delete(labels);
    const name = String(have.id);
    const removed = await writer.remove({ kind: 'CiliumIdentity', name }, have.uid);
    if (removed.state === 'failed') {
      actual.identities.set(labels, have);
      return removed;
    }
  }
  unusedSince.delete(labels);
  if (actual.allocator.users(labels).length > 0) enqueue(taskKey.identity(labels));
  else actual.allocator.forget(labels);
  return DONE;
}
