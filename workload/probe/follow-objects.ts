import type { KubeClient, KubeObject } from '../kube/kube-client.js';
import { objectKey } from '../kube/reflector-store.js';
import { startReflector } from '../kube/reflector.js';
import type { Clock } from '../platform/clock.js';
import { causeText } from './follow-keys.js';
import type { Place } from './place.js';
import { createHolders, type Subject } from './subject-holders.js';

/** Objects of an API server to follow. */
export interface ObjectFollowing {
  readonly kube: KubeClient;
  readonly path: string;
  readonly labelSelector: string;
  readonly place: Place;
  readonly read: (object: KubeObject) => readonly Subject[];
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Follows a collection until the signal. A collection that the API server doesn't have, such as
 * CiliumEndpoints without Cilium, closes the place: nobody waits for what cannot be shown.
 */
export async function followObjects(following: ObjectFollowing): Promise<void> {
  const { kube, path, labelSelector, place, read, clock, signal } = following;
  const there = await kube.request('GET', `${path}?limit=1`, undefined, { signal });
  if (!there.ok && (there.status === 404 || there.status === 403)) {
    place.close(`${path}: ${there.message}`);
    return;
  }
  const holders = createHolders(place);
  let bytesAtNs = clock.monoNs();
  const reflector = startReflector({
    client: kube,
    path,
    query: { labelSelector },
    clock,
    signal,
    keep: (object) => ({ key: objectKey(object), subjects: read(object) }),
    onBytes: () => {
      bytesAtNs = clock.monoNs();
    },
    onOpen: () => {
      place.opened();
    },
    onLoss: (end) => {
      // Servers close idle watches as a matter of course; it resumes where it stopped, but later.
      const why = end.reason === 'failed' ? causeText(end.cause) : `the watch was ${end.reason}`;
      place.lost(why, end.reason === 'expired' ? 'compacted' : undefined);
    },
    onEvent: ({ type, object: { key, subjects }, seenBy }) => {
      const sighting =
        seenBy === 'watch'
          ? ({ atNs: bytesAtNs, by: 'watch' } as const)
          : ({ atNs: clock.monoNs(), by: 'read' } as const);
      if (type === 'deleted') holders.remove(key, sighting);
      else holders.put(key, subjects, sighting);
    },
  });
  await reflector.ended;
}
