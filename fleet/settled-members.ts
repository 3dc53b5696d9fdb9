import { sleepWithin, type Budget } from './budget.js';
import type { FleetMember } from './fleet-api.js';
import { boundsOf, type FleetWorld } from './fleet-world.js';
import { namesText } from './mesh-view.js';
import { tellChanges } from './tell-changes.js';

/** The members asked for that are there, and the names of all that are. */
export interface SettledMembers {
  readonly members: readonly FleetMember[];
  readonly known: readonly string[];
}

/**
 * Reads the members until none is joining, updating or leaving any more. A list may lag behind a
 * member that was just created, so a missing one is waited for a minute. @see fleet-api.md §9
 */
export async function settledMembers(
  names: readonly string[],
  world: FleetWorld,
  budget: Budget,
): Promise<SettledMembers> {
  const tell = tellChanges(world, 'members');
  for (;;) {
    const all = await world.api.members(boundsOf(world, budget));
    const members = all
      .filter(({ name }) => names.includes(name))
      .sort((one, other) => one.name.localeCompare(other.name));
    const moving = members.filter(({ provisioningState }) => MOVING.test(provisioningState));
    const missing = names.filter((name) => !members.some((member) => member.name === name));
    const patient = missing.length > 0 && budget.elapsed() < APPEARS_WITHIN;
    if (budget.spent() || (moving.length === 0 && !patient)) {
      return { members, known: all.map(({ name }) => name).sort() };
    }
    const waited = [...missing, ...moving.map(({ name }) => name)];
    tell(
      `${names.length - waited.length} of ${names.length} at rest, waits for ${namesText(waited)}`,
    );
    await sleepWithin(budget, LOOK_AGAIN, world);
  }
}

const MOVING = /^(joining|updating|leaving)$/i;
/** @see fleet-api.md §9: a GET after a PUT may say 404 for so long */
const APPEARS_WITHIN = 60_000;
/** Members take 6 to 8 s to join; chosen. */
const LOOK_AGAIN = 5_000;
