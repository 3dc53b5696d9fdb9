import { deferred, type Deferred } from '../kube/deferred.js';

/** When something was first or last there. `read`: found by reading, so it happened some time before. */
export interface Sighting {
  /** Of the one monotonic clock. */
  readonly atNs: bigint;
  readonly by: 'watch' | 'read';
  /** What came with it, such as the address of the pod. */
  readonly detail?: string | undefined;
}

/** Something that is looked out for at one place. Starts as absent. */
export interface Track {
  /** The first time that it was there. */
  seen(): Sighting | undefined;
  /** Since when it is away; undefined while it is there and when it never was. */
  gone(): Sighting | undefined;
  /** Whether the watch was not open at any time since the track began. */
  watchLost(): boolean;
  /** Resolves when it was there, and when the place closes before. */
  readonly whenSeen: Promise<void>;
  /** Resolves as soon as it is not there, and when the place closes before. */
  whenGone(): Promise<void>;
}

/** How often a watch ended that nobody had ended, and how often because etcd had compacted. */
export interface WatchLosses {
  readonly losses: number;
  readonly compactions: number;
}

/** One collection under watch: where subjects come and go. Only tracked subjects are remembered. */
export interface Place {
  /** For people: `the cache of mesh-002`. */
  readonly name: string;
  /** Resolves when the first watch is confirmed; later changes are seen as they happen. */
  readonly confirmed: Promise<void>;
  track(subject: string): Track;
  forget(subject: string): void;
  note(subject: string, present: boolean, sighting: Sighting): void;
  opened(): void;
  lost(why: string, kind?: 'compacted'): void;
  /** It can never be watched, or not any more; who waits for something there is let go. */
  close(why: string): void;
  closed(): boolean;
  /** Why the watch is not open; undefined when it is. */
  blindness(): string | undefined;
  counts(): WatchLosses;
}

/** A place whose watch is not open yet. */
export function createPlace(name: string): Place {
  const tracks = new Map<string, TrackState>();
  const confirmed = deferred<undefined>();
  let blindness: string | undefined = 'not confirmed yet';
  let closed = false;
  const counts = { losses: 0, compactions: 0 };
  return {
    name,
    confirmed: confirmed.promise,
    track: (subject) => {
      const state = createTrack(blindness !== undefined);
      tracks.set(subject, state);
      if (closed) state.release();
      return state.track;
    },
    forget: (subject) => void tracks.delete(subject),
    note: (subject, present, sighting) => tracks.get(subject)?.note(present, sighting),
    opened: () => {
      if (closed) return;
      blindness = undefined;
      confirmed.resolve(undefined);
    },
    lost: (why, kind) => {
      if (closed) return;
      blindness = why;
      counts.losses += 1;
      if (kind === 'compacted') counts.compactions += 1;
      for (const state of tracks.values()) state.lose();
    },
    close: (why) => {
      blindness = why;
      closed = true;
      confirmed.resolve(undefined);
      for (const state of tracks.values()) state.release();
    },
    closed: () => closed,
    blindness: () => blindness,
    counts: () => ({ ...counts }),
  };
}

interface TrackState {
  readonly track: Track;
  note(present: boolean, sighting: Sighting): void;
  lose(): void;
  /** Nobody is to wait any longer. */
  release(): void;
}

function createTrack(blind: boolean): TrackState {
  const whenSeen = deferred<undefined>();
  const leaving = createWaiters();
  let present = false;
  let lost = blind;
  let seen: Sighting | undefined;
  let gone: Sighting | undefined;
  return {
    track: {
      seen: () => seen,
      gone: () => gone,
      watchLost: () => lost,
      whenSeen: whenSeen.promise,
      whenGone: () => (present ? leaving.wait() : Promise.resolve()),
    },
    note: (now, sighting) => {
      if (now === present) return;
      present = now;
      gone = now ? undefined : sighting;
      if (now) {
        seen ??= sighting;
        whenSeen.resolve(undefined);
      } else leaving.wake();
    },
    lose: () => {
      lost = true;
    },
    release: () => {
      whenSeen.resolve(undefined);
      leaving.close();
    },
  };
}

interface Waiters {
  wait(): Promise<void>;
  /** Lets all go that wait now. */
  wake(): void;
  /** Nobody waits any more. */
  close(): void;
}

function createWaiters(): Waiters {
  let waiters: Deferred<undefined>[] = [];
  let closed = false;
  const wake = (): void => {
    for (const waiter of waiters) waiter.resolve(undefined);
    waiters = [];
  };
  return {
    wait: () => {
      if (closed) return Promise.resolve();
      const waiter = deferred<undefined>();
      waiters.push(waiter);
      return waiter.promise;
    },
    wake,
    close: () => {
      closed = true;
      wake();
    },
  };
}
