import { setTimeout as delay } from 'node:timers/promises';
import type { Milliseconds } from '../../model/quantity.js';

/** The world's time. Tests give a virtual one. */
export interface Clock {
  /** Wall time, UTC, milliseconds since 1970. For people and files; never for measuring. */
  now(): Milliseconds;
  /** Monotonic nanoseconds since an arbitrary start: never jumps, the only clock for measuring. */
  monoNs(): bigint;
  /** Resolves after `duration`; rejects with the signal's reason as soon as it aborts. */
  sleep(duration: Milliseconds, signal?: AbortSignal): Promise<void>;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monoNs: () => process.hrtime.bigint(),
  sleep: async (duration, signal) => {
    try {
      await delay(duration, undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  },
};

/** Monotonic milliseconds between two readings of {@link Clock.monoNs}. */
export function millisecondsBetween(startNs: bigint, endNs: bigint): Milliseconds {
  return Number(endNs - startNs) / 1e6;
}
