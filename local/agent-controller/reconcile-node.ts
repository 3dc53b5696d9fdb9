import { UNKNOWN_FINGERPRINT, actualObject, type ActualObject } from './actual-state.js';
import { fingerprint } from './canonical-json.js';
import { ciliumNode, ownedParts, type CiliumObject } from './cilium-objects.js';
import { knownObject } from './known-object.js';
import { DONE, taskKey, type ReconcileContext } from './reconcile-context.js';
import type { TaskResult } from './work-queue.js';

/** Makes the CiliumNode of one node what it should be: written, changed or removed. */
export async function reconcileNode(context: ReconcileContext, name: string): Promise<TaskResult> {
  const { actual, source, uncertain } = context;
  const node = source.node(name);
  const have = actual.nodes.get(name);
  if (node === undefined) {
    if (have !== undefined) return await removeNode(context, name, have);
    return uncertain.has(taskKey.node(name)) ? await relearn(context, name) : DONE;
  }
  const wanted = ciliumNode(node);
  // A node that lost its address for a moment keeps what it had.
  return wanted === undefined ? DONE : await writeNode(context, wanted, have);
}

async function writeNode(
  context: ReconcileContext,
  wanted: CiliumObject,
  have: ActualObject | undefined,
): Promise<TaskResult> {
  const { actual, uncertain, writer } = context;
  const { name } = wanted;
  const print = fingerprint(ownedParts(wanted));
  if (have?.fingerprint === print) return DONE;
  const written =
    have === undefined ? await writer.create(wanted) : await writer.replace(wanted, have.uid);
  if (written.state === 'failed') {
    if (have === undefined) uncertain.add(taskKey.node(name));
    else actual.nodes.set(name, { ...have, fingerprint: UNKNOWN_FINGERPRINT });
    return written;
  }
  if (written.state !== 'written') return await relearn(context, name);
  uncertain.delete(taskKey.node(name));
  actual.nodes.set(name, { uid: written.uid, fingerprint: print });
  return DONE;
}

async function removeNode(
  context: ReconcileContext,
  name: string,
  have: ActualObject,
): Promise<TaskResult> {
  const removed = await context.writer.remove({ kind: 'CiliumNode', name }, have.uid);
  if (removed.state === 'failed') return removed;
  if (removed.state === 'conflict') return await relearn(context, name);
  context.actual.nodes.delete(name);
  return DONE;
}

async function relearn(
  { actual, uncertain, writer }: ReconcileContext,
  name: string,
): Promise<TaskResult> {
  const read = await knownObject(writer, { kind: 'CiliumNode', name });
  if (read.state === 'failed') return read;
  uncertain.delete(taskKey.node(name));
  if (read.state === 'gone') actual.nodes.delete(name);
  else actual.nodes.set(name, actualObject('CiliumNode', read.object));
  return { state: 'failed', reason: `CiliumNode ${name} is not what we thought it is` };
}
