import type { Milliseconds } from '../../model/quantity.js';
import type { KubeAnswer } from '../kube/kube-client.js';
import { millisecondsBetween, type Clock } from '../platform/clock.js';
import type { ProbeWatches } from './open-watches.js';
import {
  namePrefix,
  probePod,
  probeService,
  probeSlice,
  type ObjectStyle,
  type ProbeObject,
} from './probe-objects.js';
import { isThere, type ProbeCluster, type ProbeKind, type ProbeStimulus } from './probe-plan.js';
import { beginTracks, type PlacedTrack, type ProbeTracks } from './probe-tracks.js';
import { within } from './within.js';

/** One probe to make. */
export interface ProbeTask {
  readonly index: number;
  readonly source: ProbeCluster;
  readonly peers: readonly ProbeCluster[];
  readonly kinds: readonly ProbeKind[];
  readonly stimulus: ProbeStimulus;
  readonly budget: Milliseconds;
  readonly style: ObjectStyle;
  readonly watches: ProbeWatches;
  readonly clock: Clock;
  /** Ends with the run, and when the source leaves it. */
  readonly signal: AbortSignal;
}

/** A request of ours: when it was sent, when it was answered, and what the API server said against it. */
export interface Deed {
  readonly sentNs: bigint;
  readonly answeredNs: bigint;
  /** @default - it was done */
  readonly refused?: string | undefined;
}

/** What happened in one probe. */
export interface ProbeOutcome {
  readonly task: ProbeTask;
  /** Of pod and Service. */
  readonly name: string;
  readonly startNs: bigint;
  /** @default - no Service is part of it, or the probe was interrupted before */
  readonly service?: Deed | undefined;
  readonly change?: Deed | undefined;
  readonly removal?: Deed | undefined;
  readonly tracks: ProbeTracks;
  readonly interrupted: boolean;
}

/**
 * Makes one change, waits until every peer has seen it or the budget is spent, undoes it and waits
 * again. Never throws for what the clusters do. The caller forgets the tracks.
 */
export async function runProbe(task: ProbeTask): Promise<ProbeOutcome> {
  const { index, source, style, watches, peers, clock, signal } = task;
  const name = `${namePrefix(style)}${index + 1}`;
  const { namespace } = style;
  const tracks = beginTracks({ watches, source, peers, namespace, name });
  const startNs = clock.monoNs();
  const outcome = (parts: Partial<ProbeOutcome>): ProbeOutcome => ({
    ...{ task, name, startNs, tracks, interrupted: signal.aborted },
    ...parts,
  });
  const service = await makeService(task, name, tracks);
  const object = stimulusObject(task, name);
  if (service?.refused !== undefined || isStopped(task)) {
    await cleanUp(task, name, undefined);
    return outcome({ service });
  }
  const change = await make(task, object);
  if (change.refused === undefined) await waitUntilSeen(task, tracks, change);
  if (change.refused !== undefined || isStopped(task)) {
    await cleanUp(task, name, object);
    return outcome({ service, change });
  }
  const removal = await remove(task, object);
  if (removal.refused === undefined) await waitUntilGone(task, tracks, removal);
  await cleanUp(task, name, undefined);
  return outcome({ service, change, removal });
}

/** A function, because between two looks the signal changes without the compiler's knowledge. */
function isStopped({ signal }: ProbeTask): boolean {
  return signal.aborted;
}

function stimulusObject({ stimulus, style, index }: ProbeTask, name: string): ProbeObject {
  return stimulus === 'pod' ? probePod(style, name) : probeSlice(style, name, index);
}

/** The Service has its own way through the mesh; it should be over before that of the backend begins. */
async function makeService(
  task: ProbeTask,
  name: string,
  tracks: ProbeTracks,
): Promise<Deed | undefined> {
  if (!task.kinds.includes('service-backend')) return undefined;
  const selects = task.stimulus === 'pod' ? 'pod' : 'nothing';
  const deed = await make(task, probeService(task.style, name, selects));
  // Without a slice there is nothing to export yet, see probeService.
  if (deed.refused !== undefined || task.stimulus !== 'pod') return deed;
  const settled = [tracks.service, ...task.peers.map(({ role }) => tracks.peerService(role))];
  await waitFor(task, settled, 'seen', SERVICE_LEAD);
  return deed;
}

async function waitUntilSeen(task: ProbeTask, tracks: ProbeTracks, change: Deed): Promise<void> {
  const awaited = [
    ...(task.stimulus === 'pod' ? [tracks.ready] : []),
    ...changeTracks(task, tracks),
  ];
  await waitFor(task, awaited, 'seen', remaining(task, change));
}

/** What was never there is not waited for. */
async function waitUntilGone(task: ProbeTask, tracks: ProbeTracks, removal: Deed): Promise<void> {
  const awaited = [tracks.pod, ...changeTracks(task, tracks)];
  await waitFor(task, awaited, 'gone', remaining(task, removal));
}

function changeTracks(task: ProbeTask, tracks: ProbeTracks): readonly PlacedTrack[] {
  return task.kinds.flatMap((kind) => [
    tracks.source[kind].local,
    tracks.source[kind].own,
    ...task.peers.map(({ role }) => tracks.peer(role, kind)),
  ]);
}

async function waitFor(
  { clock, signal }: ProbeTask,
  tracks: readonly PlacedTrack[],
  what: 'seen' | 'gone',
  budget: Milliseconds,
): Promise<void> {
  const told = tracks
    .filter(({ place }) => !place.closed())
    .map((track) => (what === 'seen' ? track.whenSeen : track.whenGone()));
  await within({ clock, budget, signal }, Promise.all(told));
}

function remaining({ clock, budget }: ProbeTask, { sentNs }: Deed): Milliseconds {
  return budget - millisecondsBetween(sentNs, clock.monoNs());
}

function make({ source, clock, signal }: ProbeTask, object: ProbeObject): Promise<Deed> {
  const { collection, body } = object;
  return timed(clock, () => source.kube.request('POST', collection, body, { signal }));
}

function remove({ source, clock, signal }: ProbeTask, object: ProbeObject): Promise<Deed> {
  const path = `${object.collection}/${object.name}`;
  return timed(clock, () => source.kube.request('DELETE', path, undefined, { signal }));
}

async function timed(clock: Clock, deed: () => Promise<KubeAnswer>): Promise<Deed> {
  const sentNs = clock.monoNs();
  const answer = await deed();
  const answeredNs = clock.monoNs();
  return { sentNs, answeredNs, refused: answer.ok ? undefined : refusalText(answer) };
}

function refusalText({ status, reason, message }: Exclude<KubeAnswer, { ok: true }>): string {
  return status === 0 ? `${reason}: ${message}` : `${status} ${reason}: ${message}`;
}

/**
 * What was made is removed also when the run is being stopped. A cluster that has left the run is
 * cleaned with everything else of it.
 */
async function cleanUp(
  { source, kinds, style }: ProbeTask,
  name: string,
  object: ProbeObject | undefined,
): Promise<void> {
  if (!isThere(source)) return;
  const service = kinds.includes('service-backend') ? [probeService(style, name, 'nothing')] : [];
  const left = object === undefined ? service : [...service, object];
  await Promise.all(
    left.map(({ collection }) =>
      source.kube.request('DELETE', `${collection}/${name}`, undefined, { signal: source.gone }),
    ),
  );
}

/** Ours: an idle mesh needs some 10 ms; in a burst the Service and its backend travel as one change. */
const SERVICE_LEAD: Milliseconds = 500;
