import type { Milliseconds } from '../model/quantity.js';
import { startBudget, type Budget } from './budget.js';
import { deleteProfile } from './delete-profile.js';
import { emptyMesh, type Emptied } from './empty-mesh.js';
import type { FleetWorld } from './fleet-world.js';
import { boundsOf } from './fleet-world.js';
import { DELETE_BUDGET, drainBudget } from './mesh-policy.js';
import { lookAtMesh } from './mesh-view.js';
import { withFleetLock } from './with-fleet-lock.js';

/** What is to be drained. */
export interface DrainRequest {
  readonly profile: string;
  /** For everything together. @default - by the number of members, see `mesh-policy` */
  readonly timeout?: Milliseconds | undefined;
}

/** How a drain ended. */
export interface DrainResult {
  /** No member is attached. */
  readonly drained: boolean;
  /** The profile is gone. */
  readonly deleted: boolean;
  /** Names of those that are still attached. */
  readonly remainingMembers: readonly string[];
  readonly durationMs: Milliseconds;
  /** How often the mesh was applied. */
  readonly applies: number;
  /** The mesh's state as it was seen last, or why it could not be seen. */
  readonly lastState: string;
}

/**
 * Takes every member out of a mesh and deletes its profile, so that members and clusters can go
 * without harm to their peers. One write does it for any number of members: a selector that selects
 * nobody, then one apply. Members themselves are left to who made them.
 *
 * Can be run again at any time and goes on from what it finds; succeeds when nothing is left.
 * @see fleet-api.md §10.3
 */
export async function drain(request: DrainRequest, world: FleetWorld): Promise<DrainResult> {
  const { profile } = request;
  const whole = startBudget(world.clock, Number.MAX_SAFE_INTEGER);
  const size = await meshSize(request, world);
  if (size === undefined) return endOf(whole, GONE, true);
  const times = timesFor(request.timeout, size);
  const budget = startBudget(world.clock, times.empty);
  const about = {
    purpose: `drain ${profile}`,
    budget,
    needless: async () => (await world.api.profile(profile, boundsOf(world, budget))) === undefined,
  };
  const locked = await withFleetLock(world, about, () => emptyAndDelete(profile, world, times));
  if (locked.state === 'done') return endOf(whole, locked.value, locked.value.deleted);
  if (locked.state === 'not-needed') return endOf(whole, GONE, true);
  const view = await lookAtMesh(world.api, profile, boundsOf(world, budget));
  const remaining = (view?.applied ?? []).map(({ name }) => name).sort();
  return endOf(whole, { remaining, applies: 0, lastState: `waited for ${locked.holder}` }, false);
}

interface Times {
  readonly empty: Milliseconds;
  readonly delete: Milliseconds;
}

/** Also deletes when emptying ran out of time: the service knows better than any list. */
async function emptyAndDelete(
  profile: string,
  world: FleetWorld,
  times: Times,
): Promise<Omit<Emptied, 'state'> & { readonly deleted: boolean }> {
  let budget = startBudget(world.clock, times.empty);
  let rest: Budget | undefined;
  let applies = 0;
  for (;;) {
    const emptied = await emptyMesh(profile, world, budget);
    applies += emptied.applies;
    if (emptied.state === 'gone') return { ...emptied, applies, deleted: true };
    rest ??= startBudget(world.clock, times.delete);
    const { state, ...left } = await deleteProfile(profile, world, rest);
    if (state === 'deleted') return { ...left, applies, deleted: true };
    if (state === 'timed-out' || rest.spent()) return { ...left, applies, deleted: false };
    budget = rest;
  }
}

const GONE: Omit<Emptied, 'state'> = { remaining: [], applies: 0, lastState: 'gone' };

/** Members attached now; undefined when there is no such mesh, or no fleet any more. */
async function meshSize(request: DrainRequest, world: FleetWorld): Promise<number | undefined> {
  const budget = startBudget(world.clock, request.timeout ?? drainBudget(0));
  const view = await lookAtMesh(world.api, request.profile, boundsOf(world, budget));
  return view?.applied.length;
}

/** A given time is shared: three quarters to empty the mesh, the rest to delete the profile. */
function timesFor(timeout: Milliseconds | undefined, members: number): Times {
  if (timeout === undefined) return { empty: drainBudget(members), delete: DELETE_BUDGET };
  const forDeletion = Math.min(DELETE_BUDGET, timeout / 4);
  return { empty: timeout - forDeletion, delete: forDeletion };
}

function endOf(
  whole: Budget,
  { remaining, applies, lastState }: Omit<Emptied, 'state'>,
  deleted: boolean,
): DrainResult {
  return {
    drained: deleted || remaining.length === 0,
    deleted,
    remainingMembers: remaining,
    durationMs: Math.round(whole.elapsed()),
    applies,
    lastState,
  };
}
