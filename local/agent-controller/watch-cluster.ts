import type { KubeClient, KubeObject, WatchEnd } from '../../workload/kube/kube-client.js';
import { startReflector, type Reflector } from '../../workload/kube/reflector.js';
import type { ReflectorEvent } from '../../workload/kube/reflector-store.js';
import type { Clock } from '../../workload/platform/clock.js';
import { nodeView, podView, type NodeView, type PodView } from './cluster-views.js';
import { taskKey, type ClusterSource } from './reconcile-context.js';

/** What is watched. */
export type WatchedSource = 'nodes' | 'namespaces' | 'pods';

/** What a watch of a cluster needs. */
export interface ClusterWatchOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Told of each key whose object may have to change. */
  readonly enqueue: (key: string) => void;
  readonly onLoss: (source: WatchedSource, end: WatchEnd) => void;
}

/** Nodes, namespaces and pods as they are, kept in step by three watches. */
export interface ClusterWatch {
  readonly source: ClusterSource;
  /** Resolves when all three have been listed; rejects when the signal comes first. */
  readonly synced: Promise<unknown>;
  /** Resolves when the signal has ended all three. */
  readonly ended: Promise<unknown>;
  /** The key of every node and every pod with an endpoint. */
  readonly keys: () => readonly string[];
  readonly relists: () => Readonly<Record<WatchedSource, number>>;
}

/** Starts the watches. */
export function startClusterWatch(options: ClusterWatchOptions): ClusterWatch {
  const { enqueue } = options;
  const nodes = follow(options, 'nodes', nodeView, ({ key }) => {
    enqueue(taskKey.node(key));
  });
  const pods = follow(options, 'pods', podView, ({ key }) => {
    enqueue(taskKey.endpoint(key));
  });
  const labelsSeen = new Map<string, string>();
  const namespaces = follow(options, 'namespaces', namespaceView, ({ type, key, object }) => {
    // A namespace says much about itself; only its labels are part of an identity.
    const labels = type === 'deleted' ? 'none' : JSON.stringify(object.labels);
    if (labelsSeen.get(key) === labels) return;
    labelsSeen.set(key, labels);
    for (const podKey of endpointKeys(pods)) {
      if (podKey.startsWith(`${key}/`)) enqueue(taskKey.endpoint(podKey));
    }
  });
  const all = [nodes, namespaces, pods];
  return {
    source: {
      node: (name) => nodes.get(name),
      pod: (key) => pods.get(key),
      namespaceLabels: (name) => namespaces.get(name)?.labels,
    },
    synced: Promise.all(all.map(({ synced }) => synced)),
    ended: Promise.all(all.map(({ ended }) => ended)),
    keys: () => [
      ...nodes.items().flatMap((node) => (node === undefined ? [] : taskKey.node(node.name))),
      ...endpointKeys(pods).map(taskKey.endpoint),
    ],
    relists: () => ({
      nodes: nodes.counts().relists,
      namespaces: namespaces.counts().relists,
      pods: pods.counts().relists,
    }),
  };
}

interface NamespaceView {
  readonly labels: Readonly<Record<string, string>>;
}

function follow<T extends NodeView | PodView | NamespaceView | undefined>(
  { client, clock, signal, onLoss }: ClusterWatchOptions,
  source: WatchedSource,
  keep: (object: KubeObject) => T,
  onEvent: (event: ReflectorEvent<T>) => void,
): Reflector<T> {
  const path = `/api/v1/${source}`;
  const lost = (end: WatchEnd): void => {
    onLoss(source, end);
  };
  return startReflector<T>({ client, path, clock, signal, keep, onEvent, onLoss: lost });
}

function namespaceView({ metadata }: KubeObject): NamespaceView {
  return { labels: metadata.labels ?? {} };
}

function endpointKeys(pods: Reflector<PodView | undefined>): readonly string[] {
  return pods.items().flatMap((pod) => (pod === undefined ? [] : `${pod.namespace}/${pod.name}`));
}
