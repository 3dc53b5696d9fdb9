import { actualObject } from './actual-state.js';
import { fingerprint } from './canonical-json.js';
import { ciliumNode, ownedParts, type CiliumObject } from './cilium-objects.js';
import { knownObject } from './known-object.js';
import { DONE, type ReconcileContext } from './reconcile-context.js';
import type { TaskResult } from './work-queue.js';

/** Makes the CiliumNode of one node what it should be: written, changed or removed. */
export async function reconcileNode(context: ReconcileContext, name: string): Promise<TaskResult> {
  const { actual, source, writer } = context;
  const node = source.node(name);
  const wanted = node === undefined ? undefined : ciliumNode(node);
  const have = actual.nodes.get(name);
  if (wanted === undefined) {
    // A node that lost its address for a moment keeps what it had.
    if (have === undefined || node !== undefined) return DONE;
    const removed = await writer.remove({ kind: 'CiliumNode', name }, have.uid);
    if (removed.state === 'failed') return removed;
    if (removed.state === 'conflict') return await relearn(context, { kind: 'CiliumNode', name });
    actual.nodes.delete(name);
    return DONE;
  }
  const print = fingerprint(ownedParts(wanted));
  if (have?.fingerprint === print) return DONE;
  const written =
    have === undefined ? await writer.create(wanted) : await writer.replace(wanted, have.uid);
  if (written.state === 'failed') return written;
  if (written.state !== 'written') return await relearn(context, wanted);
  actual.nodes.set(name, { uid: written.uid, fingerprint: print });
  return DONE;
}

async function relearn(
  { actual, writer }: ReconcileContext,
  { kind, name }: Pick<CiliumObject, 'kind' | 'name'>,
): Promise<TaskResult> {
  const read = await knownObject(writer, { kind, name });
  if (read.state === 'failed') return read;
  if (read.state === 'gone') actual.nodes.delete(name);
  else actual.nodes.set(name, actualObject(kind, read.object));
  return { state: 'failed', reason: `${kind} ${name} was changed by somebody else` };
}
