import type { ClusterRole } from '../../model/cluster-identity.js';
import { durationText, type Milliseconds } from '../../model/quantity.js';
import type { AnchoredClock } from './anchored-clock.js';
import type { Observation } from './observation.js';
import type { ProbeKind, ProbeStimulus } from './probe-plan.js';
import { unseenReason, unremovedReason } from './probe-reasons.js';
import { seenWithin, type SeenOrNot } from './seen-within.js';
import { stageTimes, type StageTimes } from './stage-times.js';
import type { ProbeOutcome } from './run-probe.js';
import { changeTimes, removalTimes } from './time-fields.js';

/**
 * One probe as one peer saw it: a line of `probes/<probe>.jsonl`. All `t_*_ns` are of one monotonic
 * clock tied to wall time, 0 where nothing was seen; `delta_*_ms` are stages, null where one of the
 * two ends is missing. Names of earlier tools are kept.
 * @see data/results-schema.md §2
 */
export interface ProbeRecord extends StageTimes, Readonly<Record<`t_${string}_ns`, number>> {
  readonly probe: string;
  readonly probe_id: string;
  readonly probe_ns: number;
  readonly observe: ProbeKind;
  readonly stimulus: ProbeStimulus;
  readonly src_cluster: ClusterRole;
  readonly peer_cluster: ClusterRole;
  readonly pod_ip: string;
  readonly pod_hostname: string;
  /** Change sent → in the peer's cache; null: not seen within the budget, see `reason`. */
  readonly propagation_ms: Milliseconds | null;
  readonly peer_timed_out: boolean;
  /** Why it was not seen, or why nothing was changed. */
  readonly reason?: string | undefined;
  /** Removal sent → gone from the peer's cache; null: not within the budget. @default - it never was there */
  readonly removal_ms?: Milliseconds | null | undefined;
  readonly peer_remove_timed_out: boolean;
  readonly removal_reason?: string | undefined;
  /** A watch was not open at some time of this probe: its times are upper bounds. */
  readonly watch_lost: boolean;
  readonly seen_by?: 'watch' | 'read' | undefined;
  /** The one clock at the anchor: wall time and monotonic time of the same moment. */
  readonly anchor_unix_ms: number;
  readonly anchor_mono_ns: number;
}

/** The records of one probe, a kind and a peer each. */
export function probeRecords(outcome: ProbeOutcome, anchor: AnchoredClock): readonly ProbeRecord[] {
  const { kinds, peers } = outcome.task;
  return kinds.flatMap((kind) => peers.map(({ role }) => probeRecord(outcome, kind, role, anchor)));
}

function probeRecord(
  outcome: ProbeOutcome,
  observe: ProbeKind,
  peer: ClusterRole,
  anchor: AnchoredClock,
): ProbeRecord {
  const { task, tracks, name, change, startNs } = outcome;
  const { source, budget } = task;
  const track = tracks.peer(peer, observe);
  const seen = seenWithin(track.seen(), change, budget);
  const what = { outcome, observe, peer };
  return {
    probe: task.style.id,
    probe_id: `${task.style.id}-${task.index + 1}`,
    probe_ns: anchor.ns(startNs),
    observe,
    stimulus: task.stimulus,
    src_cluster: source.role,
    peer_cluster: peer,
    pod_ip: tracks.address.seen()?.detail ?? '',
    pod_hostname: task.stimulus === 'pod' ? name : '',
    ...changeTimes(what, seen, anchor),
    ...removalTimes(what, anchor),
    ...stageTimes(what, seen),
    propagation_ms: seen.sighting === undefined ? null : seen.afterMs,
    peer_timed_out: seen.sighting === undefined,
    ...(seen.sighting === undefined
      ? { reason: unseenReason(what, seen, durationText(budget)) }
      : { seen_by: seen.sighting.by }),
    ...removalOf(what, seen),
    watch_lost: lostAnyWatch(outcome, observe, peer),
    anchor_unix_ms: anchor.unixMs,
    anchor_mono_ns: Number(anchor.monoNs),
  };
}

type RemovalFields = Pick<ProbeRecord, 'removal_ms' | 'peer_remove_timed_out' | 'removal_reason'>;

function removalOf(what: Observation, seen: SeenOrNot): RemovalFields {
  const { outcome, observe, peer } = what;
  const { removal, task } = outcome;
  if (removal === undefined || seen.sighting === undefined) return { peer_remove_timed_out: false };
  const gone = seenWithin(outcome.tracks.peer(peer, observe).gone(), removal, task.budget);
  // Gone before it was taken away: the mesh lost it, and that is no removal time.
  const early = gone.sighting !== undefined && gone.afterMs < 0;
  if (gone.sighting !== undefined && !early) {
    return { removal_ms: gone.afterMs, peer_remove_timed_out: false };
  }
  return {
    removal_ms: null,
    peer_remove_timed_out: !early,
    removal_reason: early
      ? `it had gone from ${peer} ${durationText(Math.abs(gone.afterMs))} before it was removed`
      : unremovedReason(what, gone, durationText(task.budget)),
  };
}

function lostAnyWatch({ tracks, task }: ProbeOutcome, kind: ProbeKind, peer: ClusterRole): boolean {
  const { local, own } = tracks.source[kind];
  const concerned = [local, own, tracks.peer(peer, kind)];
  if (task.stimulus === 'pod') concerned.push(tracks.pod);
  return concerned.some((track) => !track.place.closed() && track.watchLost());
}
