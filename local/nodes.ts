import type { KubeClient, KubeObject } from '../workload/kube/kube-client.js';
import type { ClusterFacts } from './cluster-facts.js';
import { apiRefused } from './errors.js';

/** A cluster's pod range is a /20; each node gets an equal part of at least a /28 (16 addresses). */
const POD_RANGE_BITS = 20;
const LEAST_NODE_BITS = 28;
/** 256 nodes of 16 addresses each. */
export const MAX_NODES = 2 ** (LEAST_NODE_BITS - POD_RANGE_BITS);

/** What a node says it can hold: a D4s_v5, the default of the Azure stack, with AKS' 110 pods. */
const CAPACITY = { cpu: '4', memory: '16Gi', 'ephemeral-storage': '100Gi', pods: '110' };

/** `mesh-001-node-01` … */
export function nodeName(cluster: Pick<ClusterFacts, 'role'>, index: number): string {
  return `${cluster.role}-node-${String(index).padStart(3, '0')}`;
}

/** The part of the pod range that node `index` (1 …) of `nodes` gets. */
export function nodePodRange(cluster: number, index: number, nodes: number): string {
  const bits = POD_RANGE_BITS + Math.ceil(Math.log2(Math.max(nodes, 16)));
  const offset = (index - 1) * 2 ** (32 - bits);
  return `10.${cluster}.${16 + (offset >> 8)}.${offset & 255}/${bits}`;
}

/** The Node object that a kubelet would register; KWOK then keeps it Ready. */
export function nodeObject(cluster: ClusterFacts, index: number): KubeObject {
  const name = nodeName(cluster, index);
  const pods = nodePodRange(cluster.number, index, cluster.spec.nodes);
  // Node addresses start at .16: the first ones are left to what a cloud keeps for itself.
  const host = index + 15;
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'node.kubernetes.io/instance-type': 'kwok',
        type: 'kwok',
      },
      annotations: { 'kwok.x-k8s.io/node': 'fake' },
    },
    spec: { podCIDR: pods, podCIDRs: [pods] },
    status: {
      capacity: CAPACITY,
      allocatable: CAPACITY,
      addresses: [
        { type: 'InternalIP', address: `10.${cluster.number}.${host >> 8}.${host & 255}` },
        { type: 'Hostname', address: name },
      ],
    },
  };
}

/** Makes the cluster have exactly its nodes: creates missing ones, deletes those above the count. */
export async function ensureNodes(cluster: ClusterFacts, client: KubeClient): Promise<void> {
  const { items } = await client.list('/api/v1/nodes');
  const there = new Map(items.map((node) => [node.metadata.name, node]));
  const wanted = Array.from({ length: cluster.spec.nodes }, (_, i) => nodeObject(cluster, i + 1));
  for (const node of wanted) {
    const old = there.get(node.metadata.name);
    there.delete(node.metadata.name);
    // A node's pod range cannot be changed: with another count all nodes are made anew.
    if (old !== undefined && podRangeOf(old) === podRangeOf(node)) continue;
    if (old !== undefined) await remove(cluster, client, old);
    await create(cluster, client, node);
  }
  for (const surplus of there.values()) await remove(cluster, client, surplus);
}

function podRangeOf(node: KubeObject): unknown {
  const { spec } = node;
  return typeof spec === 'object' && spec !== null && 'podCIDR' in spec ? spec.podCIDR : undefined;
}

async function create(cluster: ClusterFacts, client: KubeClient, node: KubeObject): Promise<void> {
  const answer = await client.request('POST', '/api/v1/nodes', node);
  if (answer.ok || answer.reason === 'AlreadyExists') return;
  throw apiRefused(cluster.role, `create node ${node.metadata.name}`, answer.message);
}

async function remove(cluster: ClusterFacts, client: KubeClient, node: KubeObject): Promise<void> {
  const answer = await client.request('DELETE', `/api/v1/nodes/${node.metadata.name}`);
  if (answer.ok || answer.status === 404) return;
  throw apiRefused(cluster.role, `delete node ${node.metadata.name}`, answer.message);
}
