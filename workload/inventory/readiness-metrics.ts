import type { Milliseconds } from '../../model/quantity.js';
import type { KubeClient, KubeObject } from '../kube/kube-client.js';

/** What one component of a cluster says of its peers. */
export interface PeerReadiness {
  /** `cilium-agent` or `kvstoremesh` */
  readonly component: string;
  /** Names of peers, and whether they are ready. */
  readonly peers: ReadonlyMap<string, boolean>;
}

/**
 * Asks one agent and the kvstoremesh of a cluster which peers they are connected to, through the API
 * server: nothing of the mesh itself has to be reachable from here. A component that cannot be asked is
 * left out.
 */
export async function readPeerReadiness(
  kube: KubeClient,
  signal: AbortSignal,
): Promise<readonly PeerReadiness[]> {
  const found = await Promise.all(COMPONENTS.map((one) => askComponent(kube, one, signal)));
  return found.flatMap((one) => one ?? []);
}

interface Component {
  readonly name: string;
  readonly selector: string;
  readonly port: number;
  readonly metric: string;
}

/** @see data/measurements.md, ports and metrics of the agent and of kvstoremesh */
const COMPONENTS: readonly Component[] = [
  {
    name: 'cilium-agent',
    selector: 'k8s-app=cilium',
    port: 9962,
    metric: 'cilium_clustermesh_remote_cluster_readiness_status',
  },
  {
    name: 'kvstoremesh',
    selector: 'k8s-app=clustermesh-apiserver',
    port: 9964,
    metric: 'cilium_kvstoremesh_remote_cluster_readiness_status',
  },
];

async function askComponent(
  kube: KubeClient,
  { name, selector, port, metric }: Component,
  signal: AbortSignal,
): Promise<PeerReadiness | undefined> {
  const options = { signal, timeout: TIMEOUT };
  const query = { labelSelector: selector };
  const pods = await kube.list(PODS, { ...options, query }).then(
    ({ items }) => items,
    () => [],
  );
  const pod = pods.find(isRunning);
  if (pod === undefined) return undefined;
  const path = `${PODS}/${pod.metadata.name}:${port}/proxy/metrics`;
  const answer = await kube.request('GET', path, undefined, options);
  if (!answer.ok || typeof answer.body !== 'string') return undefined;
  const peers = readinessIn(answer.body, metric);
  return peers.size === 0 ? undefined : { component: name, peers };
}

function isRunning({ status }: KubeObject): boolean {
  return (
    typeof status === 'object' && status !== null && 'phase' in status && status.phase === 'Running'
  );
}

/** `…_readiness_status{source_cluster="a",target_cluster="b"} 1` */
function readinessIn(text: string, metric: string): ReadonlyMap<string, boolean> {
  const lines = text.split('\n').filter((line) => line.startsWith(`${metric}{`));
  return new Map(
    lines.flatMap((line) => {
      const target = /[{,]target_cluster="([^"]*)"/.exec(line)?.[1];
      return target === undefined ? [] : [[target, /\}\s+1(\.0*)?\s*$/.test(line)] as const];
    }),
  );
}

const PODS = '/api/v1/namespaces/kube-system/pods';
/** Ours: an agent of a large mesh has megabytes of metrics. */
const TIMEOUT: Milliseconds = 20_000;
