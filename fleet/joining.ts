import type { Budget } from './budget.js';
import { boundsOf, type FleetWorld } from './fleet-world.js';

/** A mesh that is being joined. */
export interface Joining {
  readonly profile: string;
  readonly selector: string;
  readonly world: FleetWorld;
  readonly budget: Budget;
  /** How often it was applied so far. */
  applies: number;
}

/** True when an apply was accepted; one that is under way is not an error, it is waited for. */
export async function applyOnce(joining: Joining): Promise<boolean> {
  const { world, profile, budget } = joining;
  const written = await world.api.apply(profile, boundsOf(world, budget));
  if (written.state !== 'done') return false;
  joining.applies += 1;
  return true;
}
