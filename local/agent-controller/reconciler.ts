import type { Milliseconds } from '../../model/quantity.js';
import type { Clock } from '../../workload/platform/clock.js';
import type { ActualState } from './actual-state.js';
import type { AgentMetrics } from './agent-metrics.js';
import type { CiliumKind } from './cilium-kinds.js';
import type { ObjectWriter } from './object-writer.js';
import type { QuietLog } from './quiet-log.js';
import { taskKey, type ClusterSource, type ReconcileContext } from './reconcile-context.js';
import { reconcileEndpoint } from './reconcile-endpoint.js';
import { reconcileIdentity, reconcileStray } from './reconcile-identity.js';
import { reconcileNode } from './reconcile-node.js';
import { createWorkQueue, type TaskResult } from './work-queue.js';

/** What a reconciler is made of. */
export interface ReconcilerOptions {
  readonly clusterName: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly source: ClusterSource;
  readonly writer: ObjectWriter;
  readonly metrics: AgentMetrics;
  readonly log: QuietLog;
  readonly concurrency: number;
  readonly identityGrace: Milliseconds;
}

/** Brings the API server to what the cluster's nodes and pods ask for, one key at a time. */
export interface Reconciler {
  /** Looks at these keys (see `taskKey`) again. */
  readonly enqueue: (key: string) => void;
  /**
   * Stops writing, reads what stands (`read` may take its time and may fail), and looks at all of it
   * again. Nothing is written before the first one.
   */
  resync(read: () => Promise<ActualState>): Promise<void>;
  readonly queueDepth: () => number;
  readonly objects: () => Readonly<Record<CiliumKind, number>>;
}

/** A reconciler that knows nothing yet and writes nothing. */
export function createReconciler(options: ReconcilerOptions): Reconciler {
  let context: ReconcileContext | undefined;
  const queue = createWorkQueue({
    clock: options.clock,
    signal: options.signal,
    concurrency: options.concurrency,
    work: async (key) => (context === undefined ? { state: 'done' } : await work(context, key)),
    onFailure: (key, reason, attempts) => {
      options.metrics.countRetry();
      options.log(`${kindOf(key)} ${reason.slice(0, 40)}`, failureLine(key, reason, attempts));
    },
  });
  const contextOf = (actual: ActualState): ReconcileContext => ({
    ...options,
    actual,
    unusedSince: new Map(),
    waitingFor: new Map(),
    uncertain: new Set(),
    enqueue: queue.add,
    enqueueAfter: queue.addAfter,
  });
  return {
    enqueue: queue.add,
    queueDepth: queue.depth,
    resync: async (read) => {
      await queue.pause();
      const actual = await read();
      context = contextOf(actual);
      for (const key of keysOf(actual)) queue.add(key);
      options.metrics.countResync();
      queue.resume();
    },
    objects: () => ({
      CiliumNode: context?.actual.nodes.size ?? 0,
      CiliumIdentity: context?.actual.identities.size ?? 0,
      CiliumEndpoint: context?.actual.endpoints.size ?? 0,
    }),
  };
}

async function work(context: ReconcileContext, key: string): Promise<TaskResult> {
  const name = key.slice(key.indexOf('/') + 1);
  switch (kindOf(key)) {
    case 'node':
      return await reconcileNode(context, name);
    case 'endpoint':
      return await reconcileEndpoint(context, name);
    case 'identity':
      return await reconcileIdentity(context, name);
    case 'stray':
      return await reconcileStray(context, name);
    default:
      return { state: 'done' };
  }
}

/** Everything that stands; whatever has no wish behind it is removed when its turn comes. */
function keysOf(actual: ActualState): readonly string[] {
  return [
    ...[...actual.nodes.keys()].map(taskKey.node),
    ...[...actual.endpoints.keys()].map(taskKey.endpoint),
    ...actual.allocator.known().map(taskKey.identity),
    ...[...actual.strays.keys()].map(taskKey.stray),
  ];
}

function kindOf(key: string): string {
  return key.slice(0, key.indexOf('/'));
}

function failureLine(key: string, reason: string, attempts: number): string {
  return `${key} comes again (attempt ${attempts}): ${reason}`;
}
