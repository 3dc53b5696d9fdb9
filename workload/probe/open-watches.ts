import type { ClusterRole } from '../../model/cluster-identity.js';
import type { Milliseconds } from '../../model/quantity.js';
import type { Clock } from '../platform/clock.js';
import { followKeys, type KeyFollowing } from './follow-keys.js';
import { followObjects } from './follow-objects.js';
import { readCiliumEndpoint, readPod, readSlice } from './kube-subjects.js';
import { addressReader, MESH_KEYS, readService } from './mesh-keys.js';
import { createPlace, type Place, type WatchLosses } from './place.js';
import { whileThere, type ProbeCluster, type ProbeKind } from './probe-plan.js';
import { within } from './within.js';

/** What is watched, and where. */
export interface WatchRequest {
  readonly clusters: readonly ProbeCluster[];
  readonly kinds: readonly ProbeKind[];
  readonly namespace: string;
  /** Of our objects, for what the API servers show. */
  readonly labelSelector: string;
  /** How the names of our objects begin, for what the etcds show. */
  readonly namePrefix: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Where the stages of a change are seen in the cluster that makes it. */
export interface SourcePlaces {
  readonly pods: Place;
  readonly ciliumEndpoints: Place;
  readonly slices: Place;
  readonly addresses: Place;
  readonly services: Place;
}

/** Where a peer sees what one source exports. */
export interface PeerPlaces {
  readonly addresses: Place;
  readonly services: Place;
}

/** The watches of a series, open from before its first change to after its last. */
export interface ProbeWatches {
  source(role: ClusterRole): SourcePlaces;
  peer(reader: ClusterRole, source: ClusterRole): PeerPlaces;
  /** Waits until every watch is confirmed; gives those that are not within the budget, with the cause. */
  confirm(budget: Milliseconds): Promise<readonly string[]>;
  counts(): WatchLosses;
  /** Resolves when the signal has ended all; rejects with a defect of ours. */
  readonly ended: Promise<unknown>;
}

/** Opens every watch that the kinds need: at the API server and the etcd of each source, in each peer's cache. */
export function openWatches(request: WatchRequest): ProbeWatches {
  const { clusters, clock, signal } = request;
  const opening: Opening = { request, places: [], following: [] };
  const sources = new Map(clusters.map((one) => [one.role, openSource(opening, one)]));
  const peers = new Map(clusters.map((one) => [one.role, openPeer(opening, one)]));
  return {
    source: (role) => found(sources.get(role), role),
    peer: (reader, source) => found(peers.get(reader), reader)(source),
    confirm: async (budget) => {
      const all = Promise.all(opening.places.map(({ confirmed }) => confirmed));
      await within({ clock, budget, signal }, all);
      return opening.places.flatMap((place) => {
        const why = place.blindness();
        return why === undefined ? [] : [`${place.name}: ${why}`];
      });
    },
    counts: () =>
      opening.places
        .map((place) => place.counts())
        .reduce((sum, one) => ({
          losses: sum.losses + one.losses,
          compactions: sum.compactions + one.compactions,
        })),
    ended: Promise.all(opening.following),
  };
}

interface Opening {
  readonly request: WatchRequest;
  readonly places: Place[];
  readonly following: Promise<void>[];
}

function openSource(opening: Opening, cluster: ProbeCluster): SourcePlaces {
  const { namespace, kinds } = opening.request;
  const { role, ciliumName } = cluster;
  const ns = `namespaces/${namespace}`;
  const core = openObjects(opening, cluster, `pods of ${role}`);
  const wants = (kind: ProbeKind): boolean => kinds.includes(kind);
  return {
    pods: core(`/api/v1/${ns}/pods`, readPod, true),
    ciliumEndpoints: openObjects(opening, cluster, `CiliumEndpoints of ${role}`)(
      `/apis/cilium.io/v2/${ns}/ciliumendpoints`,
      readCiliumEndpoint,
      wants('endpoint-address'),
    ),
    slices: openObjects(opening, cluster, `EndpointSlices of ${role}`)(
      `/apis/discovery.k8s.io/v1/${ns}/endpointslices`,
      readSlice,
      wants('service-backend'),
    ),
    addresses: openAddresses(opening, cluster, 'own'),
    services: openServices(opening, cluster, {
      name: `Services in the mesh etcd of ${role}`,
      prefix: MESH_KEYS.ownServices(ciliumName, namespace, opening.request.namePrefix),
    }),
  };
}

/** Services are watched source by source with a narrow prefix: their values are large under load. */
function openPeer(opening: Opening, cluster: ProbeCluster): (source: ClusterRole) => PeerPlaces {
  const { namespace, clusters, namePrefix } = opening.request;
  const addresses = openAddresses(opening, cluster, 'cached');
  const services = new Map(
    clusters
      .filter(({ role }) => role !== cluster.role)
      .map(({ role, ciliumName }) => [
        role,
        openServices(opening, cluster, {
          name: `Services of ${role} in the cache of ${cluster.role}`,
          prefix: MESH_KEYS.cachedServices(ciliumName, namespace, namePrefix),
        }),
      ]),
  );
  return (source) => ({ addresses, services: found(services.get(source), source) });
}

function openObjects(
  opening: Opening,
  cluster: ProbeCluster,
  name: string,
): (path: string, read: typeof readPod, wanted: boolean) => Place {
  return (path, read, wanted) => {
    if (!wanted) return unwatched(name);
    const place = newPlace(opening, cluster, name);
    const { labelSelector, clock } = opening.request;
    const signal = whileThere(cluster, opening.request.signal);
    const { kube } = cluster;
    opening.following.push(
      followObjects({ kube, path, labelSelector, place, read, clock, signal }),
    );
    return place;
  };
}

function openAddresses(opening: Opening, cluster: ProbeCluster, area: 'own' | 'cached'): Place {
  const { namePrefix, kinds } = opening.request;
  const where = area === 'own' ? 'mesh etcd' : 'cache';
  return openKeys(opening, cluster, {
    name: `addresses in the ${where} of ${cluster.role}`,
    prefix: area === 'own' ? MESH_KEYS.ownAddresses : MESH_KEYS.cachedAddresses,
    read: addressReader(namePrefix),
    wanted: kinds.includes('endpoint-address'),
  });
}

function openServices(
  opening: Opening,
  cluster: ProbeCluster,
  { name, prefix }: { readonly name: string; readonly prefix: string },
): Place {
  const wanted = opening.request.kinds.includes('service-backend');
  return openKeys(opening, cluster, { name, prefix, read: readService, wanted });
}

interface KeyPlace extends Pick<KeyFollowing, 'prefix' | 'read'> {
  readonly name: string;
  readonly wanted: boolean;
}

function openKeys(
  opening: Opening,
  cluster: ProbeCluster,
  { name, prefix, read, wanted }: KeyPlace,
): Place {
  if (!wanted) return unwatched(name);
  const place = newPlace(opening, cluster, name);
  const { clock } = opening.request;
  const signal = whileThere(cluster, opening.request.signal);
  const { role, meshEtcd: etcd } = cluster;
  if (etcd === undefined) place.close(`there is no access to the mesh etcd of ${role}`);
  else opening.following.push(followKeys({ etcd, prefix, place, read, clock, signal }));
  return place;
}

function unwatched(name: string): Place {
  const place = createPlace(name);
  place.close('not asked for');
  return place;
}

/** A place that closes when its cluster leaves the run: nobody may wait for what is seen there. */
function newPlace({ places, request }: Opening, { role, gone }: ProbeCluster, name: string): Place {
  const place = createPlace(name);
  places.push(place);
  const close = (): void => {
    place.close(`${role} has left the run`);
  };
  if (gone?.aborted === true) close();
  gone?.addEventListener('abort', close, { once: true, signal: request.signal });
  return place;
}

function found<T>(value: T | undefined, role: ClusterRole): T {
  if (value === undefined) throw new Error(`${role} takes no part in these probes`);
  return value;
}
