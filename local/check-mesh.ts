import { directedPairs, pairName } from '../model/cluster-identity.js';
import type { Milliseconds } from '../model/quantity.js';
import { userErrorsOf } from '../model/user-error.js';
import { createEtcdClient } from '../workload/kube/etcd/grpc-etcd-client.js';
import type { EtcdClient } from '../workload/kube/etcd/etcd-client.js';
import type { KubeClient } from '../workload/kube/kube-client.js';
import { tailOf } from '../workload/platform/files.js';
import { waitFor, type Look } from '../workload/platform/wait.js';
import { closedAtSignal } from './closed-at-signal.js';
import { adminClient } from './cluster.js';
import type { ClusterFacts } from './cluster-facts.js';
import { clustermeshApiserver, kvstoremesh } from './components/clustermesh.js';
import { apiRefused, notConnected } from './errors.js';
import { vanishedError } from './exit-error.js';
import { meshEtcdAccess } from './forget-strangers.js';
import { MESH_ROLE } from './state/paths.js';
import type { Supervision } from './supervise.js';
import { syncedSources } from './synced-sources.js';
import { together } from './together.js';

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
/** An API server that says that it is ready needs a moment more for some objects. Chosen. */
const API_BUDGET: Milliseconds = 30_000;
const API_PERIOD: Milliseconds = 250;

/**
 * Makes a global Service through every cluster's API server and waits until each of the others has
 * it in its cache; then removes it and waits until it is gone everywhere. Throws mesh/not-connected
 * with the pairs that are missing.
 */
export async function checkMesh(clusters: readonly ClusterFacts[], by: Supervision): Promise<void> {
  const doors = clusters.map((cluster) => ({ cluster, client: adminClient(cluster) }));
  const caches = new Map(
    clusters.map((cluster) => [cluster.role, createEtcdClient(meshEtcdAccess(cluster))]),
  );
  const close = async (): Promise<void> => {
    for (const cache of caches.values()) cache.close();
    await Promise.all(doors.map(({ client }) => client.close()));
  };
  await closedAtSignal({ close }, by.signal, () => carryThrough(clusters, doors, caches, by));
}

async function carryThrough(
  clusters: readonly ClusterFacts[],
  doors: readonly Door[],
  caches: ReadonlyMap<string, EtcdClient>,
  by: Supervision,
): Promise<void> {
  try {
    await everywhere(doors, by, removeService);
    await everywhere(doors, by, makeService);
    await awaitEverywhere('seen', clusters, caches, by);
    await everywhere(doors, by, removeService);
    await awaitEverywhere('gone', clusters, caches, by);
    await awaitEverywhere('synced', clusters, caches, by);
  } catch (error) {
    await leaveNothing(doors);
    throw error;
  }
}

/** A cluster and a client of its API server. */
interface Door {
  readonly cluster: ClusterFacts;
  readonly client: KubeClient;
}

async function awaitEverywhere(
  wanted: Wanted,
  clusters: readonly ClusterFacts[],
  caches: ReadonlyMap<string, EtcdClient>,
  by: Supervision,
): Promise<void> {
  const pairs = directedPairs(clusters.map(({ role }) => role));
  const bounds = { ...by, budget: SEEN_BUDGET, period: LOOK_PERIOD };
  const wait = await waitFor(bounds, async (): Promise<Look<undefined>> => {
    const vanished = by.table.all().find((record) => by.processes.state(record) === 'gone');
    if (vanished !== undefined) throw await vanishedError(vanished, by.attempt);
    const looks = await Promise.all(
      pairs.map(async (pair) => {
        const cache = caches.get(pair.reader);
        return cache !== undefined && (await is(wanted, pair.source, cache))
          ? []
          : [pairName(pair)];
      }),
    );
    const missing = looks.flat();
    const text = `${TOLD[wanted]} over ${pairs.length - missing.length} of ${pairs.length} links`;
    // One cluster alone has no links to tell of.
    if (pairs.length > 0) by.progress.report({ subject: MESH_ROLE, state: 'running', text });
    return missing.length === 0
      ? { state: 'ready', value: undefined }
      : { state: 'waiting', missing: missing.map((pair) => `${pair} (${wanted})`) };
  });
  if (wait.state === 'timed-out') {
    throw notConnected(wait.elapsed, wait.missing, await tails(clusters, wait.missing));
  }
}

/** What is waited for: the Service is there, it is gone, and the whole cache is complete. */
type Wanted = 'seen' | 'gone' | 'synced';

const TOLD: Readonly<Record<Wanted, string>> = {
  seen: 'a Service is seen',
  gone: 'a Service is gone',
  synced: 'everything is synchronised',
};

/** False when the cache does not answer now: nothing is known then. */
async function is(wanted: Wanted, source: string, cache: EtcdClient): Promise<boolean> {
  try {
    if (wanted === 'synced') return (await syncedSources(cache)).has(source);
    const key = `cilium/cache/services/v1/${source}/${NAMESPACE}/${CHECK_SERVICE}`;
    return ((await cache.get(key)) !== undefined) === (wanted === 'seen');
  } catch (error) {
    if (userErrorsOf(error).length === 0) throw error;
    return false;
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

type Deed = (door: Door) => Promise<Refusal | undefined>;

interface Refusal {
  readonly deed: string;
  readonly answer: string;
}

/** Does it in every cluster; an API server that was started a moment ago may refuse at first. */
async function everywhere(doors: readonly Door[], by: Supervision, deed: Deed): Promise<void> {
  await together(
    by.signal,
    doors.map((door) => async (signal: AbortSignal) => {
      let refusal: Refusal | undefined;
      const bounds = { ...by, signal, budget: API_BUDGET, period: API_PERIOD };
      const wait = await waitFor(bounds, async (): Promise<Look<undefined>> => {
        refusal = await deed(door);
        return refusal === undefined
          ? { state: 'ready', value: undefined }
          : { state: 'waiting', missing: [refusal.answer] };
      });
      if (wait.state === 'timed-out' && refusal !== undefined) {
        throw apiRefused(door.cluster.role, refusal.deed, refusal.answer);
      }
    }),
  );
}

/** One try: whoever waits for the failure shall not wait for this, and the next `up` does it too. */
async function leaveNothing(doors: readonly Door[]): Promise<void> {
  await Promise.all(doors.map((door) => removeService(door)));
}

async function makeService({ cluster, client }: Door): Promise<Refusal | undefined> {
  for (const { collection, body } of checkObjects(cluster)) {
    const answer = await client.request('POST', collection, body);
    if (!answer.ok && answer.reason !== 'AlreadyExists') {
      return { deed: `create ${CHECK_SERVICE}`, answer: answer.message };
    }
  }
  return undefined;
}

async function removeService({ cluster, client }: Door): Promise<Refusal | undefined> {
  for (const { collection } of checkObjects(cluster)) {
    const answer = await client.request('DELETE', `${collection}/${CHECK_SERVICE}`);
    if (!answer.ok && answer.status !== 404) {
      return { deed: `delete ${CHECK_SERVICE}`, answer: answer.message };
    }
  }
  return undefined;
}
