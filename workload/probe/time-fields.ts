import type { AnchoredClock } from './anchored-clock.js';
import type { Observation } from './observation.js';
import type { SeenOrNot } from './seen-within.js';

type Times = Readonly<Record<`t_${string}_ns`, number>>;

/** The moments of the change. What a kind does not observe is left out; what was not seen is 0. */
export function changeTimes(what: Observation, seen: SeenOrNot, anchor: AnchoredClock): Times {
  const { outcome, observe } = what;
  const { tracks, change, service } = outcome;
  const { local, own } = tracks.source[observe];
  const at = (track: { seen(): { atNs: bigint } | undefined }): number =>
    anchor.ns(track.seen()?.atNs);
  const peerNs = anchor.ns(seen.sighting?.atNs);
  return {
    t_apply_ns: anchor.ns(change?.sentNs),
    t_created_ns: anchor.ns(change?.answeredNs),
    t_scheduled_ns: at(tracks.scheduled),
    t_ip_assigned_ns: at(tracks.address),
    t_pod_ready_ns: at(tracks.ready),
    ...(observe === 'endpoint-address'
      ? {
          t_local_ep_ns: at(local),
          t_source_ipcache_ns: at(own),
          t_peer_ipcache_ns: peerNs,
        }
      : {
          t_service_created_ns: anchor.ns(service?.answeredNs),
          t_source_service_ns: at(tracks.service),
          t_peer_service_ns: at(tracks.peerService(what.peer)),
          t_endpoint_slice_ns: at(local),
          t_source_service_backend_ns: at(own),
          t_peer_service_backend_ns: peerNs,
        }),
  };
}

/** The moments of the removal, by the same rule. */
export function removalTimes(what: Observation, anchor: AnchoredClock): Times {
  const { outcome, observe, peer } = what;
  const { tracks, removal } = outcome;
  if (removal === undefined) return {};
  const { local, own } = tracks.source[observe];
  const at = (track: { gone(): { atNs: bigint } | undefined }): number =>
    anchor.ns(track.gone()?.atNs);
  const peerNs = at(tracks.peer(peer, observe));
  return {
    t_delete_ns: anchor.ns(removal.sentNs),
    t_pod_gone_ns: at(tracks.pod),
    ...(observe === 'endpoint-address'
      ? {
          t_local_ep_removed_ns: at(local),
          t_source_ipcache_removed_ns: at(own),
          t_peer_ipcache_removed_ns: peerNs,
        }
      : {
          t_endpoint_slice_removed_ns: at(local),
          t_source_service_backend_removed_ns: at(own),
          t_peer_service_backend_removed_ns: peerNs,
        }),
  };
}
