import type { Milliseconds } from '../model/quantity.js';
import { sleepWithin, type Budget } from './budget.js';
import type { RefusalKind } from './fleet-api.js';
import { boundsOf, type FleetWorld } from './fleet-world.js';
import { lookAtMesh } from './mesh-view.js';
import { tellChanges } from './tell-changes.js';

/** Deleted, or what is left and why. */
export interface DeletedProfile {
  /** `members`: some are attached, also to the eyes of the service; empty the mesh again. */
  readonly state: 'deleted' | 'members' | 'timed-out';
  readonly remaining: readonly string[];
  readonly lastState: string;
}

/**
 * Deletes a profile and confirms that it is gone. The service refuses while members are attached or
 * an apply is being worked on; its list and its refusal can disagree for a while, so a refusal means
 * to look and try again within the budget. @see fleet-api.md §10.3, S4
 */
export async function deleteProfile(
  profile: string,
  world: FleetWorld,
  budget: Budget,
): Promise<DeletedProfile> {
  const bounds = boundsOf(world, budget);
  const tell = tellChanges(world, `drain ${profile}`);
  for (;;) {
    const written = await world.api.deleteProfile(profile, bounds);
    if (written.state !== 'refused' || written.kind === 'group-deleting') return GONE;
    tell(`the profile cannot be deleted yet: ${written.error.code}`);
    const view = await lookAtMesh(world.api, profile, bounds);
    if (view === undefined) return GONE;
    const remaining = view.applied.map(({ name }) => name).sort();
    const lastState = `${view.profile.state}, deleting refused: ${written.error.code}`;
    if (budget.spent()) return { state: 'timed-out', remaining, lastState };
    if (written.kind === 'has-members' && remaining.length > 0) {
      return { state: 'members', remaining, lastState };
    }
    await sleepWithin(budget, PAUSE_AFTER[written.kind] ?? PAUSE, world);
  }
}

const GONE: DeletedProfile = { state: 'deleted', remaining: [], lastState: 'gone' };

/** @see fleet-api.md §§9, 10.3 */
const PAUSE_AFTER: Readonly<Partial<Record<RefusalKind, Milliseconds>>> = {
  'has-members': 5_000,
  'not-final': 5_000,
  busy: 20_000,
};
const PAUSE: Milliseconds = 15_000;
