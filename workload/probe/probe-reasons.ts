import { durationText } from '../../model/quantity.js';
import type { Observation } from './observation.js';
import type { PlacedTrack } from './probe-tracks.js';
import type { SeenOrNot } from './seen-within.js';

/** Why a peer has not seen a change: what was refused, could not be watched, or how far it had come. */
export function unseenReason(what: Observation, seen: SeenOrNot, budget: string): string {
  const { outcome, observe, peer } = what;
  const { service, change, tracks, task } = outcome;
  const refused = service?.refused ?? change?.refused;
  if (!outcome.interrupted && refused !== undefined) {
    return `${task.source.role} refused the change: ${refused}`;
  }
  if (change === undefined || outcome.interrupted) return `${stopped(what)} before it was seen`;
  const track = tracks.peer(peer, observe);
  const blindness = track.place.blindness();
  if (blindness !== undefined) return `${track.place.name} could not be watched: ${blindness}`;
  if (seen.sighting === undefined && seen.lateMs !== undefined) {
    return `${peer} saw it after ${durationText(seen.lateMs)}, the budget is ${budget}`;
  }
  return `${peer} did not see it within ${budget}; ${cameTo(stagesOf(what), 'seen')}`;
}

/** Why something is still there after its removal. */
export function unremovedReason(what: Observation, gone: SeenOrNot, budget: string): string {
  const { outcome, observe, peer } = what;
  const { removal, interrupted, task } = outcome;
  if (interrupted) return `${stopped(what)} before it was gone`;
  if (removal?.refused !== undefined) {
    return `${task.source.role} refused the removal: ${removal.refused}`;
  }
  const { place } = outcome.tracks.peer(peer, observe);
  const blindness = place.blindness();
  if (blindness !== undefined) return `${place.name} could not be watched: ${blindness}`;
  if (gone.sighting === undefined && gone.lateMs !== undefined) {
    return `gone after ${durationText(gone.lateMs)}, the budget is ${budget}`;
  }
  return `still in ${peer} after ${budget}; ${cameTo(stagesOf(what), 'gone')}`;
}

function stopped({ outcome }: Observation): string {
  const { source, signal } = outcome.task;
  const left = source.gone?.aborted === true && signal.reason === source.gone.reason;
  return left ? `${source.role} left the run` : 'the run was stopped';
}

/** In the order in which a change goes through them. */
function stagesOf({ outcome, observe }: Observation): readonly PlacedTrack[] {
  const { tracks, task } = outcome;
  const { local, own } = tracks.source[observe];
  return [...(task.stimulus === 'pod' ? [tracks.pod, tracks.ready] : []), local, own];
}

function cameTo(stages: readonly PlacedTrack[], what: 'seen' | 'gone'): string {
  const reached = stages.filter((track) => track[what]() !== undefined);
  const last = reached.at(-1);
  if (last === undefined) return 'it had not even come to the first stage';
  return what === 'seen'
    ? `it had come as far as the ${last.place.name}`
    : `it was gone from the ${last.place.name}`;
}
