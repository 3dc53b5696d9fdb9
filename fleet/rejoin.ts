import { sleepWithin, startBudget } from './budget.js';
import { applyOnce, type Joining } from './joining.js';
import type { FleetMember } from './fleet-api.js';
import { boundsOf } from './fleet-world.js';
import { attachedLabels, detachedLabels } from './labels.js';
import { drainBudget, pollPeriod, REJOIN_AT_ONCE } from './mesh-policy.js';
import { lookAtMesh, namesText } from './mesh-view.js';
import { relabelOrThrow } from './relabel-or-throw.js';

/**
 * Takes stuck members out of a mesh and puts them back, them alone: the profile stays, and so do
 * those that are connected. Whatever happens between, a member that is to be in the mesh gets its
 * label back here, and in the next ensure at the latest. @see fleet-api.md §10.2
 */
export async function rejoin(stuck: readonly FleetMember[], joining: Joining): Promise<void> {
  const { world, profile, selector } = joining;
  const some = stuck.slice(0, REJOIN_AT_ONCE);
  const names = some.map(({ name }) => name);
  const text = `${names.length} stuck, taken out and put back: ${namesText(names)}`;
  world.progress.report({ subject: `ensure ${profile}`, state: 'note', text });
  try {
    await relabelOrThrow(some, (labels) => detachedLabels(labels, selector), joining);
    await applyUntilOut(names, joining);
  } finally {
    const now = await Promise.all(
      names.map((name) => world.api.member(name, boundsOf(world, joining.budget))),
    );
    const there = now.filter((one): one is FleetMember => one !== undefined);
    await relabelOrThrow(there, (labels) => attachedLabels(labels, selector), joining);
  }
  await applyOnce(joining);
}

/** Waits until they are out; goes on without that when the mesh does not take another apply. */
async function applyUntilOut(names: readonly string[], joining: Joining): Promise<void> {
  const { world, profile, budget } = joining;
  if (!(await applyOnce(joining))) return;
  const step = startBudget(world.clock, Math.min(drainBudget(names.length), budget.remaining()));
  for (;;) {
    const view = await lookAtMesh(world.api, profile, boundsOf(world, step));
    const inside = view?.applied.filter(({ name }) => names.includes(name)).length ?? 0;
    if ((inside === 0 && view?.profile.state !== 'Applying') || step.spent()) return;
    await sleepWithin(step, pollPeriod(step.elapsed()), world);
  }
}
