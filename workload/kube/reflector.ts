import type { Milliseconds } from '../../model/quantity.js';
import type { Clock } from '../platform/clock.js';
import { deferred, type Deferred } from './deferred.js';
import type {
  KubeClient,
  KubeObject,
  KubeWatchEvent,
  WatchEnd,
  WatchHandlers,
} from './kube-client.js';
import { listPages, type KeptList } from './list-pages.js';
import {
  createReflectorStore,
  type ReflectorEvent,
  type ReflectorStore,
  type StoreEntry,
} from './reflector-store.js';

/** What to keep in step with. */
export interface ReflectorOptions<T> {
  readonly client: Pick<KubeClient, 'access' | 'request' | 'watch'>;
  /** `/api/v1/services` */
  readonly path: string;
  /** Selectors, the same for the list and the watch. */
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly clock: Clock;
  /** What to keep in memory of each object; `(object) => object` keeps it all. */
  readonly keep: (object: KubeObject) => T;
  /** Ends the reflector. Abort it before the client is closed. */
  readonly signal: AbortSignal;
  /** Once, with everything there is after the first list. */
  readonly onSync?: ((items: readonly T[]) => void) | undefined;
  /** Every change since, also those found by a later list; a deletion is never missed. */
  readonly onEvent: (event: ReflectorEvent<T>) => void;
  /** A list or watch has ended for another reason than the signal; the reflector goes on by itself. */
  readonly onLoss?: ((end: WatchEnd) => void) | undefined;
  /** Bytes of the watch are there: the place to read the clock for the events that follow. */
  readonly onBytes?: (() => void) | undefined;
  /** A watch has been accepted: from here on changes are seen as they happen. */
  readonly onOpen?: (() => void) | undefined;
}

/** What a reflector went through. */
export interface ReflectorCounts {
  /** Lists after the first: each time the watch's place in the history was gone. */
  readonly relists: number;
  /** Ends of lists and watches that nobody asked for. */
  readonly losses: number;
}

/** A running reflector. */
export interface Reflector<T> {
  /** Resolves after the first list; rejects when the signal comes first. */
  readonly synced: Promise<unknown>;
  /** Resolves when the first watch has been accepted: later changes will be seen as they happen. */
  readonly watching: Promise<unknown>;
  /** Resolves when the signal has ended it; rejects with what a callback threw. */
  readonly ended: Promise<void>;
  counts(): ReflectorCounts;
  /** What stands now, as far as it has been seen. */
  items(): readonly T[];
  /** By `namespace/name`, or `name` of what has no namespace. */
  get(key: string): T | undefined;
}

/**
 * Keeps a copy of a collection in step by list and watch, as Kubernetes' own controllers do: it
 * resumes a closed watch where it stopped, lists again when that place is gone, and then tells the
 * difference as events.
 */
export function startReflector<T>(options: ReflectorOptions<T>): Reflector<T> {
  const state: State<T> = {
    options,
    store: createReflectorStore(options.keep),
    synced: deferred<undefined>(),
    watching: deferred<undefined>(),
    resourceVersion: undefined,
    lists: 0,
    losses: 0,
    failures: 0,
  };
  return {
    synced: state.synced.promise,
    watching: state.watching.promise,
    ended: follow(state),
    counts: () => ({ relists: Math.max(0, state.lists - 1), losses: state.losses }),
    items: () => state.store.items(),
    get: (key) => state.store.get(key),
  };
}

interface State<T> {
  readonly options: ReflectorOptions<T>;
  readonly store: ReflectorStore<T>;
  readonly synced: Deferred<undefined>;
  readonly watching: Deferred<undefined>;
  /** Where to watch from; undefined when a list is due. */
  resourceVersion: string | undefined;
  lists: number;
  losses: number;
  /** Losses in a row, for the backoff. */
  failures: number;
}

async function follow<T>(state: State<T>): Promise<void> {
  const { onLoss, signal } = state.options;
  try {
    while (!signal.aborted) {
      const end = await nextStep(state);
      if (end === undefined) continue;
      if (end.reason === 'aborted') return;
      state.losses += 1;
      onLoss?.(end);
      await pause(state);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    const stopped = new Error('the reflector was stopped before');
    state.synced.reject(stopped);
    state.watching.reject(stopped);
  }
}

async function nextStep<T>(state: State<T>): Promise<WatchEnd | undefined> {
  if (state.resourceVersion === undefined) return await listOnce(state);
  const end = await watchFrom(state, state.resourceVersion);
  if (end.reason === 'expired') state.resourceVersion = undefined;
  return end;
}

async function listOnce<T>(state: State<T>): Promise<WatchEnd | undefined> {
  const { client, path, query, signal } = state.options;
  let list: KeptList<StoreEntry<T>>;
  try {
    list = await listPages(client, { path, query, signal, keep: state.store.entryOf });
  } catch (cause) {
    return signal.aborted ? { reason: 'aborted' } : { reason: 'failed', cause };
  }
  state.lists += 1;
  state.resourceVersion = list.resourceVersion;
  const differences = state.store.replace(list.items);
  if (state.lists === 1) {
    state.options.onSync?.(state.store.items());
    state.synced.resolve(undefined);
  } else {
    for (const event of differences) state.options.onEvent(event);
  }
  return undefined;
}

function watchFrom<T>(state: State<T>, resourceVersion: string): Promise<WatchEnd> {
  const { client, path, query, signal, onOpen, onBytes, onEvent } = state.options;
  const handlers: WatchHandlers = {
    onOpen: () => {
      state.watching.resolve(undefined);
      onOpen?.();
    },
    onEvent: (event) => {
      state.failures = 0;
      state.resourceVersion = versionOf(event) ?? state.resourceVersion;
      const change = event.type === 'bookmark' ? undefined : state.store.apply(event);
      if (change !== undefined) onEvent(change);
    },
    ...(onBytes === undefined ? {} : { onBytes }),
  };
  return client.watch(path, { resourceVersion, query }, handlers, signal);
}

function versionOf(event: KubeWatchEvent): string | undefined {
  return event.type === 'bookmark' ? event.resourceVersion : event.object.metadata.resourceVersion;
}

/** At once the first time (servers close watches as a matter of course), then doubling up to the limit. */
async function pause<T>(state: State<T>): Promise<void> {
  const { clock, signal } = state.options;
  const wait =
    state.failures === 0 ? 0 : Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (state.failures - 1));
  state.failures += 1;
  if (wait > 0) await clock.sleep(wait, signal);
}

/** Ours: a restarted local API server is up again after 4 to 7 s, and a probe must not wait long for it. */
const FIRST_PAUSE: Milliseconds = 100;
const LONGEST_PAUSE: Milliseconds = 2_000;
