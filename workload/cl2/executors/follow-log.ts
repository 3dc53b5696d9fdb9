import type { Milliseconds } from '../../../model/quantity.js';
import { createLineSplitter } from '../../kube/json-lines.js';
import type { ContainerPlace, PodStreams } from '../../kube/pod-streams.js';
import type { Clock } from '../../platform/clock.js';
import { createLogPosition, type LogPosition } from './log-position.js';

/** A log that is read while it is written. */
export interface LogFollower {
  /** Begins to read; again and again until {@link LogFollower.finish}, from where it broke off. */
  follow(pod: string): void;
  /** Reads what is still to be read of this pod's log, and ends. */
  finish(pod: string | undefined): Promise<void>;
}

/** What a log is followed with. */
export interface LogFollowing {
  readonly streams: Pick<PodStreams, 'log'>;
  readonly place: Omit<ContainerPlace, 'pod'>;
  readonly clock: Clock;
  readonly onLine: (line: string) => void;
}

/**
 * Follows the log of a container over as many connections as it takes: one that broke, one that the
 * API server closed, and one that is silent are followed by the next. No line is lost or given twice.
 */
export function createLogFollower(following: LogFollowing): LogFollower {
  const position = createLogPosition();
  const over = new AbortController();
  let reading: Promise<void> | undefined;
  return {
    follow: (pod) => {
      reading ??= readOn(following, position, pod, over.signal);
    },
    finish: async (pod) => {
      over.abort(new Error('the log has ended'));
      await reading;
      if (pod !== undefined) await readRest(following, position, pod);
    },
  };
}

async function readOn(
  following: LogFollowing,
  position: LogPosition,
  pod: string,
  signal: AbortSignal,
): Promise<void> {
  const { clock } = following;
  while (!signal.aborted) {
    await readOnce(following, position, { pod, follow: true, signal });
    // An abort is the way out; what ended the stream does not matter.
    await clock.sleep(PAUSE, signal).catch(() => undefined);
  }
}

/** The container has ended: its log is complete, and the last line may have no end. */
async function readRest(
  following: LogFollowing,
  position: LogPosition,
  pod: string,
): Promise<void> {
  const never = new AbortController().signal;
  for (let tries = 0; tries < REST_TRIES; tries += 1) {
    const ended = await readOnce(following, position, { pod, follow: false, signal: never });
    if (ended !== 'again') return;
    await following.clock.sleep(PAUSE);
  }
}

async function readOnce(
  { streams, place, onLine }: LogFollowing,
  position: LogPosition,
  reading: { readonly pod: string; readonly follow: boolean; readonly signal: AbortSignal },
): Promise<'ended' | 'again'> {
  position.reopened();
  const since = position.since();
  const query = {
    timestamps: 'true',
    ...(reading.follow ? { follow: 'true' } : {}),
    ...(since === undefined ? {} : { sinceTime: since }),
  };
  const splitter = createLineSplitter((line) => {
    const text = position.take(line);
    if (text !== undefined) onLine(text);
  });
  const { pod, signal } = reading;
  const bytes = (chunk: Uint8Array): void => {
    // What was on the way when the reading ended comes again, whole.
    if (!signal.aborted) splitter.push(chunk);
  };
  const end = await streams.log({ ...place, pod }, query, SILENCE, bytes, signal);
  if (end.state === 'closed') {
    // Only of a complete log: a cut line would be taken for a whole one.
    if (!reading.follow) splitter.push(NEWLINE);
    return 'ended';
  }
  return end.status === 404 ? 'ended' : 'again';
}

const NEWLINE = Buffer.from('\n');
const PAUSE: Milliseconds = 500;
const REST_TRIES = 20;
/** Ours: it says something every 5 s; a connection without an end is not seen otherwise. */
const SILENCE: Milliseconds = 30_000;
