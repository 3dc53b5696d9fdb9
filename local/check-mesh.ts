import { directedPairs, pairName } from '../model/cluster-identity.js';
import type { Milliseconds } from '../model/quantity.js';
import { createEtcdClient } from '../workload/kube/etcd/grpc-etcd-client.js';
import type { EtcdClient } from '../workload/kube/etcd/etcd-client.js';
import { tailOf } from '../workload/platform/files.js';
import { waitFor, type Look } from '../workload/platform/wait.js';
import { adminClient } from './cluster.js';
import type { ClusterFacts } from './cluster-facts.js';
import { clustermeshApiserver, kvstoremesh } from './components/clustermesh.js';
import { apiRefused, notConnected } from './errors.js';
import type { Supervision } from './supervise.js';

/** The Service that is made in every cluster to see whether the mesh carries it, and removed again. */
const CHECK_SERVICE = 'meshscale-mesh-check';
const NAMESPACE = 'default';

/**
 * Idle, a Service needs 7 ms; a fresh kvstoremesh retries a peer that was not there yet with
 * growing pauses of up to a minute. @see data/local-engines.md §6
 */
const SEEN_BUDGET: Milliseconds = 90_000;
const LOOK_PERIOD: Milliseconds = 25;
const TAIL_LINES = 5;

/**
 * Makes a global Service through every cluster's API server and waits until each of the others has
 * it in its cache; then removes it and waits until it is gone everywhere. Throws mesh/not-connected
 * with the pairs that are missing.
 */
export async function checkMesh(clusters: readonly ClusterFacts[], by: Supervision): Promise<void> {
  await Promise.all(clusters.map((cluster) => removeService(cluster)));
  const caches = new Map(clusters.map((cluster) => [cluster.role, openCache(cluster)]));
  try {
    await Promise.all(clusters.map((cluster) => makeService(cluster)));
    await awaitEverywhere('seen', clusters, caches, by);
    await Promise.all(clusters.map((cluster) => removeService(cluster)));
    await awaitEverywhere('gone', clusters, caches, by);
  } finally {
    for (const cache of caches.values()) cache.close();
    if (!by.signal.aborted) await Promise.all(clusters.map((cluster) => removeService(cluster)));
  }
}

function openCache(cluster: ClusterFacts): EtcdClient {
  const { caPem, certPem, keyPem } = cluster.credentials.mesh['mesh-etcd-client'];
  const endpoint = `https://127.0.0.1:${cluster.port('mesh-etcd-client')}`;
  return createEtcdClient({ endpoint, caPem, certPem, keyPem });
}

async function awaitEverywhere(
  wanted: 'seen' | 'gone',
  clusters: readonly ClusterFacts[],
  caches: ReadonlyMap<string, EtcdClient>,
  by: Supervision,
): Promise<void> {
  const pairs = directedPairs(clusters.map(({ role }) => role));
  const bounds = { ...by, budget: SEEN_BUDGET, period: LOOK_PERIOD };
  const wait = await waitFor(bounds, async (): Promise<Look<undefined>> => {
    const looks = await Promise.all(
      pairs.map(async (pair) => {
        const key = `cilium/cache/services/v1/${pair.source}/${NAMESPACE}/${CHECK_SERVICE}`;
        const there = (await caches.get(pair.reader)?.get(key)) !== undefined;
        return there === (wanted === 'seen') ? [] : [pairName(pair)];
      }),
    );
    const missing = looks.flat();
    by.progress.report({
      subject: 'mesh',
      state: 'running',
      text: `a Service is ${wanted} over ${pairs.length - missing.length} of ${pairs.length} links`,
    });
    return missing.length === 0
      ? { state: 'ready', value: undefined }
      : { state: 'waiting', missing: missing.map((pair) => `${pair} (${wanted})`) };
  });
  if (wait.state === 'timed-out') {
    throw notConnected(wait.elapsed, wait.missing, await tails(clusters, wait.missing));
  }
}

async function tails(
  clusters: readonly ClusterFacts[],
  missing: readonly string[],
): Promise<readonly string[]> {
  const unwell = clusters.filter(({ role }) => missing.some((pair) => pair.includes(role)));
  const logs = unwell.flatMap((cluster) => [
    clustermeshApiserver(cluster).logFile,
    kvstoremesh(cluster).logFile,
  ]);
  return Promise.all(
    logs.map(async (log) => `the end of ${log}:\n${(await tailOf(log, TAIL_LINES)).join('\n')}`),
  );
}

/** The exporter leaves out a Service without backends, so it gets one: an address that nobody has. */
function checkObjects(cluster: ClusterFacts): readonly CheckObject[] {
  const name = CHECK_SERVICE;
  const annotations = { 'service.cilium.io/global': 'true' };
  const ports = [{ name: 'http', port: 80, protocol: 'TCP' }];
  return [
    {
      collection: `/api/v1/namespaces/${NAMESPACE}/services`,
      body: { metadata: { name, annotations }, spec: { ports } },
    },
    {
      collection: `/apis/discovery.k8s.io/v1/namespaces/${NAMESPACE}/endpointslices`,
      body: {
        metadata: {
          name,
          labels: {
            'kubernetes.io/service-name': name,
            'endpointslice.kubernetes.io/managed-by': 'meshscale',
          },
        },
        addressType: 'IPv4',
        endpoints: [{ addresses: [`10.${cluster.number}.31.254`], conditions: { ready: true } }],
        ports,
      },
    },
  ];
}

interface CheckObject {
  readonly collection: string;
  readonly body: unknown;
}

async function makeService(cluster: ClusterFacts): Promise<void> {
  const client = adminClient(cluster);
  try {
    for (const { collection, body } of checkObjects(cluster)) {
      const answer = await client.request('POST', collection, body);
      if (!answer.ok && answer.reason !== 'AlreadyExists') {
        throw apiRefused(cluster.role, `create ${CHECK_SERVICE}`, answer.message);
      }
    }
  } finally {
    await client.close();
  }
}

async function removeService(cluster: ClusterFacts): Promise<void> {
  const client = adminClient(cluster);
  try {
    for (const { collection } of checkObjects(cluster)) {
      const answer = await client.request('DELETE', `${collection}/${CHECK_SERVICE}`);
      if (!answer.ok && answer.status !== 404) {
        throw apiRefused(cluster.role, `delete ${CHECK_SERVICE}`, answer.message);
      }
    }
  } finally {
    await client.close();
  }
}
