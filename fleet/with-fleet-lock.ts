import type { Milliseconds } from '../model/quantity.js';
import { sleepWithin, type Budget } from './budget.js';
import type { FleetWorld } from './fleet-world.js';
import { tellChanges } from './tell-changes.js';

/** What a deed under the lock gave, or that it was not needed, or who held the lock to the end. */
export type Locked<T> =
  | { readonly state: 'done'; readonly value: T }
  | { readonly state: 'not-needed' }
  | { readonly state: 'held'; readonly holder: string };

/**
 * Runs `deed` as the only one of this machine that changes the fleet. While another does, `needless`
 * is asked again and again: what we wait for may be done by the other one.
 */
export async function withFleetLock<T>(
  world: FleetWorld,
  about: {
    readonly purpose: string;
    readonly budget: Budget;
    readonly needless: () => Promise<boolean>;
  },
  deed: () => Promise<T>,
): Promise<Locked<T>> {
  const tell = tellChanges(world, about.purpose);
  for (;;) {
    const taken = await world.lock.tryTake(world.fleetId, about.purpose);
    if (taken.state === 'taken') {
      try {
        return { state: 'done', value: await deed() };
      } finally {
        await taken.release();
      }
    }
    if (await about.needless()) return { state: 'not-needed' };
    if (about.budget.spent()) return { state: 'held', holder: taken.holder };
    tell(`waits for ${taken.holder}`);
    await sleepWithin(about.budget, LOOK_AGAIN, world);
  }
}

/** How often one that waits looks again: two reads each time; chosen. */
const LOOK_AGAIN: Milliseconds = 2_000;
