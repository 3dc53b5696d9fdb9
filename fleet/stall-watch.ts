import type { Milliseconds } from '../model/quantity.js';
import type { FleetClock } from './ports.js';

/** Watches whether anything changes. */
export interface StallWatch {
  /** Tells what is seen now; true when it has been the same for `duration`. Then counts anew. */
  isStalled(seen: string, duration: Milliseconds): boolean;
  /** How long it has been the same. */
  quietFor(): Milliseconds;
}

/** Starts watching. */
export function createStallWatch(clock: FleetClock): StallWatch {
  const now = (): Milliseconds => Number(clock.monoNs()) / 1e6;
  let last = '';
  let since = now();
  return {
    quietFor: () => now() - since,
    isStalled: (seen, duration) => {
      if (seen !== last) {
        last = seen;
        since = now();
      }
      if (now() - since < duration) return false;
      since = now();
      return true;
    },
  };
}
