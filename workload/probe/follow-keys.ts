import type { Milliseconds } from '../../model/quantity.js';
import { userErrorsOf } from '../../model/user-error.js';
import { asError } from '../kube/deferred.js';
import type { EtcdClient, EtcdEntry, EtcdEvent, EtcdWatchEnd } from '../kube/etcd/etcd-client.js';
import type { Clock } from '../platform/clock.js';
import type { Place } from './place.js';
import { createHolders, type Subject, type SubjectHolders } from './subject-holders.js';

/** Keys of an etcd to follow. */
export interface KeyFollowing {
  readonly etcd: Pick<EtcdClient, 'readPrefix' | 'watchPrefix'>;
  readonly prefix: string;
  readonly place: Place;
  /** What a key shows; most keys show nothing of ours. */
  readonly read: (entry: EtcdEntry) => readonly Subject[];
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Reads the keys under a prefix and watches them from the revision of that reading, until the signal.
 * A watch that is lost or whose place etcd has compacted away is told to the place, and then all is
 * read and watched anew: nothing that happened meanwhile is missed, only its time is not exact.
 */
export async function followKeys(following: KeyFollowing): Promise<void> {
  const { place, clock, signal } = following;
  const holders = createHolders(place);
  while (!signal.aborted) {
    try {
      const end = await readAndWatch(following, holders);
      if (end.reason === 'aborted') return;
      if (end.reason === 'compacted') {
        place.lost(`etcd had compacted its history up to ${end.compactRevision}`, 'compacted');
        // Nothing is wrong with that etcd; every moment of waiting is one of blindness.
        continue;
      }
      place.lost(causeText(end.cause));
    } catch (error) {
      if (isAborted(signal)) return;
      place.lost(causeText(error));
    }
    await clock.sleep(PAUSE, signal).catch(() => undefined);
  }
}

async function readAndWatch(
  { etcd, prefix, place, read, clock, signal }: KeyFollowing,
  holders: SubjectHolders,
): Promise<EtcdWatchEnd> {
  const { revision, entries } = await etcd.readPrefix(prefix);
  const standing = new Map(
    entries.flatMap((entry) => {
      const subjects = read(entry);
      return subjects.length === 0 ? [] : [[entry.key, subjects]];
    }),
  );
  holders.replace(standing, { atNs: clock.monoNs(), by: 'read' });
  const onEvents = (events: readonly EtcdEvent[]): void => {
    // Before anything is parsed: our own work on this batch is not the mesh's time.
    const sighting = { atNs: clock.monoNs(), by: 'watch' } as const;
    for (const event of events) {
      if (event.type === 'put') holders.put(event.entry.key, read(event.entry), sighting);
      else holders.remove(event.key, sighting);
    }
  };
  const startRevision = String(BigInt(revision) + 1n);
  const onOpen = (): void => {
    place.opened();
  };
  return await etcd.watchPrefix(prefix, { startRevision, signal }, { onOpen, onEvents });
}

/** A function, because between two looks the signal changes without the compiler's knowledge. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}

/** What was thrown, for a reason: the problem and what was seen. */
export function causeText(cause: unknown): string {
  const [known] = userErrorsOf(cause);
  if (known === undefined) return asError(cause).message;
  return known.given === undefined ? known.problem : `${known.problem}: ${known.given}`;
}

/** Ours: an etcd that restarts is back within a second, and a probe should not miss more than that. */
const PAUSE: Milliseconds = 100;
