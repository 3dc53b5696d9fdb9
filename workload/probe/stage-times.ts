import type { Milliseconds } from '../../model/quantity.js';
import { millisecondsBetween } from '../platform/clock.js';
import type { Observation } from './observation.js';
import type { SeenOrNot } from './seen-within.js';

type Stage = Milliseconds | null;

/**
 * How long each stage took; null where one of its ends was not seen. Stages are seen by different
 * watches, so one that takes no time can come out a little below zero.
 */
export interface StageTimes {
  /** Service created → its key in the source's etcd. */
  readonly delta_service_export_ms: Stage;
  /** → in the peer's cache. */
  readonly delta_service_peer_ms: Stage;
  /** Change sent → the API server's answer. */
  readonly delta_create_ms: Stage;
  /** Change sent → pod ready. */
  readonly delta_ready_ms: Stage;
  /** Change sent → CiliumEndpoint or EndpointSlice written. */
  readonly delta_local_ms: Stage;
  /** CiliumEndpoint or EndpointSlice written → key in the source's etcd. */
  readonly delta_export_ms: Stage;
  /** Key in the source's etcd → in the peer's cache. */
  readonly delta_peer_ms: Stage;
  /** CiliumEndpoint or EndpointSlice written → in the peer's cache: the mesh alone. */
  readonly delta_mesh_ms: Stage;
  /** The same for the removal; the first from the removal sent. */
  readonly delta_remove_local_ms: Stage;
  readonly delta_remove_export_ms: Stage;
  readonly delta_remove_peer_ms: Stage;
  readonly delta_remove_mesh_ms: Stage;
}

/** The stages of a record, in the order in which a change goes through them. */
export const STAGES = [
  'delta_service_export_ms',
  'delta_service_peer_ms',
  'delta_create_ms',
  'delta_ready_ms',
  'delta_local_ms',
  'delta_export_ms',
  'delta_peer_ms',
  'delta_mesh_ms',
  'delta_remove_local_ms',
  'delta_remove_export_ms',
  'delta_remove_peer_ms',
  'delta_remove_mesh_ms',
] as const satisfies readonly (keyof StageTimes)[];

/** Takes the times of an observation apart. */
export function stageTimes(what: Observation, seen: SeenOrNot): StageTimes {
  const { outcome, observe, peer: role } = what;
  const { tracks, service, change, removal } = outcome;
  const { local, own } = tracks.source[observe];
  const [localNs, ownNs] = [local.seen()?.atNs, own.seen()?.atNs];
  const peerNs = seen.sighting?.atNs;
  // With another stimulus the Service is exported together with its backend only.
  const alone = observe === 'service-backend' && outcome.task.stimulus === 'pod';
  const serviceNs = alone ? tracks.service.seen()?.atNs : undefined;
  const [localGoneNs, ownGoneNs] = [local.gone()?.atNs, own.gone()?.atNs];
  const peerGoneNs = removal === undefined ? undefined : tracks.peer(role, observe).gone()?.atNs;
  return {
    delta_service_export_ms: between(service?.answeredNs, serviceNs),
    delta_service_peer_ms: between(serviceNs, tracks.peerService(role).seen()?.atNs),
    delta_create_ms: between(change?.sentNs, change?.answeredNs),
    delta_ready_ms: between(change?.sentNs, tracks.ready.seen()?.atNs),
    delta_local_ms: between(change?.sentNs, localNs),
    delta_export_ms: between(localNs, ownNs),
    delta_peer_ms: between(ownNs, peerNs),
    delta_mesh_ms: between(localNs, peerNs),
    delta_remove_local_ms: between(removal?.sentNs, localGoneNs),
    delta_remove_export_ms: between(localGoneNs, ownGoneNs),
    delta_remove_peer_ms: between(ownGoneNs, peerGoneNs),
    delta_remove_mesh_ms: between(localGoneNs, peerGoneNs),
  };
}

function between(startNs: bigint | undefined, endNs: bigint | undefined): Stage {
  if (startNs === undefined || endNs === undefined) return null;
  return millisecondsBetween(startNs, endNs);
}
