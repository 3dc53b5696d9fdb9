import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Chance, FleetClock } from '../ports.js';

/** The machine's own clock, for the bundled handler. */
export const nodeClock: FleetClock = {
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

/** The machine's own chance. */
export const nodeChance: Chance = {
  integer: (min, max) => randomInt(min, max + 1),
  guid: () => randomUUID(),
};
