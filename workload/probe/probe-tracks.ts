import type { ProbeWatches } from './open-watches.js';
import { podStage } from './kube-subjects.js';
import { backendOf, cachedAddress, ownAddress } from './mesh-keys.js';
import type { Place, Track } from './place.js';
import type { ProbeCluster, ProbeKind } from './probe-plan.js';

/** A track with the place where it is. */
export interface PlacedTrack extends Track {
  readonly place: Place;
}

/** The stages that one kind of change goes through in its source. */
export interface KindTracks {
  /** The object that the exporter watches: CiliumEndpoint or EndpointSlice. */
  readonly local: PlacedTrack;
  /** The key in the source's own etcd. */
  readonly own: PlacedTrack;
}

/** Everything that is looked out for in one probe; begun before its change. */
export interface ProbeTracks {
  readonly pod: PlacedTrack;
  readonly scheduled: PlacedTrack;
  readonly address: PlacedTrack;
  readonly ready: PlacedTrack;
  /** The Service alone, in the source's etcd. */
  readonly service: PlacedTrack;
  readonly source: Readonly<Record<ProbeKind, KindTracks>>;
  /** The key in a peer's cache. */
  peer(role: string, kind: ProbeKind): PlacedTrack;
  /** The Service alone, in a peer's cache. */
  peerService(role: string): PlacedTrack;
  forget(): void;
}

/** What a probe's tracks are about. */
export interface TrackRequest {
  readonly watches: ProbeWatches;
  readonly source: ProbeCluster;
  readonly peers: readonly ProbeCluster[];
  readonly namespace: string;
  /** Of pod and Service alike. */
  readonly name: string;
}

/** Begins all tracks of a probe. */
export function beginTracks(request: TrackRequest): ProbeTracks {
  const { watches, source, namespace, name } = request;
  const forgetting: (() => void)[] = [];
  const begin: Begin = (place, subject) => {
    forgetting.push(() => {
      place.forget(subject);
    });
    return { ...place.track(subject), place };
  };
  const at = watches.source(source.role);
  const of = beginPeers(request, begin);
  return {
    pod: begin(at.pods, name),
    scheduled: begin(at.pods, podStage.scheduled(name)),
    address: begin(at.pods, podStage.address(name)),
    ready: begin(at.pods, podStage.ready(name)),
    service: begin(at.services, name),
    source: {
      'endpoint-address': {
        local: begin(at.ciliumEndpoints, name),
        own: begin(at.addresses, ownAddress(namespace, name)),
      },
      'service-backend': {
        local: begin(at.slices, name),
        own: begin(at.services, backendOf(name)),
      },
    },
    peer: (role, kind) => of(role)[kind],
    peerService: (role) => of(role).service,
    forget: () => {
      for (const forget of forgetting) forget();
    },
  };
}

type Begin = (place: Place, subject: string) => PlacedTrack;
type PeerTracks = Readonly<Record<ProbeKind | 'service', PlacedTrack>>;

function beginPeers(
  { watches, source, peers, namespace, name }: TrackRequest,
  begin: Begin,
): (role: string) => PeerTracks {
  const tracksOf = new Map<string, PeerTracks>(
    peers.map(({ role }) => {
      const { addresses, services } = watches.peer(role, source.role);
      const tracks = {
        'endpoint-address': begin(addresses, cachedAddress(source.ciliumName, namespace, name)),
        'service-backend': begin(services, backendOf(name)),
        service: begin(services, name),
      };
      return [role, tracks];
    }),
  );
  return (role) => {
    const tracks = tracksOf.get(role);
    if (tracks === undefined) throw new Error(`${role} is no peer of ${name}`);
    return tracks;
  };
}
