import type { Milliseconds } from '../model/quantity.js';
import { sleepWithin, startBudget, type Budget } from './budget.js';
import { boundsOf, type FleetWorld } from './fleet-world.js';
import { mapLimited } from './map-limited.js';
import { MEMBER_WRITES_AT_ONCE } from './mesh-policy.js';
import { tellChanges } from './tell-changes.js';

/** How taking a member out of the fleet ended. */
export type RemovedMember =
  | { readonly name: string; readonly state: 'gone' }
  | { readonly name: string; readonly state: 'left'; readonly reason: string };

/**
 * Takes members out of the fleet, for those that Terraform did not make. One that is attached to a
 * mesh is never forced: after a drain the refusal is a lag and passes; a member of another mesh is
 * reported. AKS clusters are not deleted. @see fleet-api.md §10.3, S5
 */
export async function removeMembers(
  names: readonly string[],
  world: FleetWorld,
  timeout: Milliseconds = REMOVE_BUDGET,
): Promise<readonly RemovedMember[]> {
  const budget = startBudget(world.clock, timeout);
  return await mapLimited(names, MEMBER_WRITES_AT_ONCE, (name) => removeOne(name, world, budget));
}

/** A deletion takes under 30 s; 100 of them, eight at once, a few minutes. Chosen. */
const REMOVE_BUDGET: Milliseconds = 15 * 60_000;
/** @see fleet-api.md §9: MemberBelongsToClusterMesh, 5…15 s */
const TRY_AGAIN: Milliseconds = 10_000;

async function removeOne(name: string, world: FleetWorld, budget: Budget): Promise<RemovedMember> {
  const tell = tellChanges(world, name);
  for (;;) {
    const written = await world.api.deleteMember(name, boundsOf(world, budget));
    if (written.state !== 'refused' || written.kind === 'group-deleting')
      return { name, state: 'gone' };
    const reason = `${written.error.code}: ${written.error.message}`;
    tell(`cannot leave the fleet yet: ${reason}`);
    if (budget.spent()) return { name, state: 'left', reason };
    await sleepWithin(budget, TRY_AGAIN, world);
  }
}
