import type { Milliseconds } from '../../model/quantity.js';
import type { Clock } from '../../workload/platform/clock.js';
import type { ActualState } from './actual-state.js';
import type { NodeView, PodView } from './cluster-views.js';
import type { LabelSetKey } from './identity-labels.js';
import type { ObjectWriter } from './object-writer.js';
import type { TaskResult } from './work-queue.js';

/** What Kubernetes says now: the wish that our objects follow. */
export interface ClusterSource {
  node(name: string): NodeView | undefined;
  /** By `namespace/name`; undefined also for a pod that has no endpoint. */
  pod(key: string): PodView | undefined;
  /** Undefined as long as the namespace has not been seen. */
  namespaceLabels(name: string): Readonly<Record<string, string>> | undefined;
}

/** What each reconcile function works with. */
export interface ReconcileContext {
  readonly clusterName: string;
  readonly clock: Clock;
  readonly source: ClusterSource;
  readonly writer: ObjectWriter;
  readonly actual: ActualState;
  /** How long an identity outlives its last endpoint. */
  readonly identityGrace: Milliseconds;
  /** Since when a label set has no user, monotonic nanoseconds. */
  readonly unusedSince: Map<LabelSetKey, bigint>;
  /** Endpoints that wait until another one has given up their address, by that address. */
  readonly waitingFor: Map<string, Set<string>>;
  /**
   * Tasks whose last creation got no good answer: the object may be there all the same. When nobody
   * wants it any more, it has to be looked for.
   */
  readonly uncertain: Set<string>;
  readonly enqueue: (key: string) => void;
  readonly enqueueAfter: (key: string, delay: Milliseconds) => void;
}

/** Keys of the work queue: what to look at again. */
export const taskKey = {
  node: (name: string) => `node/${name}`,
  /** `namespace/name` of the pod. */
  endpoint: (key: string) => `endpoint/${key}`,
  identity: (labels: LabelSetKey) => `identity/${labels}`,
  stray: (name: string) => `stray/${name}`,
};

/** Nothing more to do. */
export const DONE: TaskResult = { state: 'done' };
