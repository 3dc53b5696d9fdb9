import { sleepWithin } from './budget.js';
import { meshFailed, notConnected, unknownFleet } from './errors.js';
import type { FleetMember } from './fleet-api.js';
import { boundsOf } from './fleet-world.js';
import { applyOnce, type Joining } from './joining.js';
import { selects } from './labels.js';
import { pollPeriod, STALLED_AFTER } from './mesh-policy.js';
import { fingerprint, isAttachedTo, lookAtMesh, namesText, type MeshView } from './mesh-view.js';
import { createNudges } from './nudges.js';
import { rejoin } from './rejoin.js';
import { createStallWatch } from './stall-watch.js';
import { tellChanges } from './tell-changes.js';

/**
 * Applies a mesh whose labels are as they are to be, and waits until exactly those members are
 * attached and connected (none, for an empty list). What a look finds decides what is done, so a
 * second run goes on where the first one was killed. Throws for a mesh that has failed or is not
 * connected in time. @see fleet-api.md §§8, 10.2
 */
export async function converge(joining: Joining, expected: readonly string[]): Promise<void> {
  const { world, profile, budget } = joining;
  const bounds = boundsOf(world, budget);
  const tell = tellChanges(world, `ensure ${profile}`);
  const nudges = createNudges(world.clock);
  const stall = createStallWatch(world.clock);
  let applied = false;
  let rejoins = 0;
  let extra = false;
  for (;;) {
    const view = await lookAtMesh(world.api, profile, bounds);
    if (view === undefined) throw unknownFleet(`${world.fleetId}/clusterMeshProfiles/${profile}`);
    const wanted = wantedNow(view, expected, joining);
    const missing = missingOf(view, wanted, joining);
    if (missing.length === 0) return;
    tell(stateText(view, wanted, missing));
    const stuck = stuckOf(view, wanted);
    const failed = applied && view.profile.state === 'Failed';
    if (failed && !isWorthRejoining(stuck, wanted, rejoins)) throw failure(joining, view);
    const stalled = stall.isStalled(fingerprint(view), STALLED_AFTER);
    if ((failed || stalled) && isWorthRejoining(stuck, wanted, rejoins)) {
      rejoins += 1;
      await rejoin(stuck, joining);
    } else if (stalled && !extra) {
      // One more apply is sensible where nothing moves, further ones are not. @see fleet-api.md §8
      extra = true;
      await apply(joining, view);
    } else if (isToApply(view, wanted, joining, { applied, nudge: nudges.due(view) })) {
      applied = (await apply(joining, view)) || applied;
    }
    if (budget.spent()) throw notConnected(profile, view.profile.state, missing);
    await sleepWithin(budget, pollPeriod(stall.quietFor()), world);
  }
}

/**
 * Those expected, and whoever else carries the label: a member that was labelled by hand is ours to
 * wait for, not ours to throw out.
 */
function wantedNow(
  { applied }: MeshView,
  expected: readonly string[],
  { selector }: Joining,
): readonly string[] {
  const others = applied.filter(({ labels }) => selects(selector, labels)).map(({ name }) => name);
  return [...new Set([...expected, ...others])].sort();
}

/** What keeps the mesh from being as wanted, in words; empty when it is. */
function missingOf(
  { profile, applied }: MeshView,
  wanted: readonly string[],
  { selector }: Joining,
): readonly string[] {
  const attached = new Map(applied.map((member) => [member.name, member]));
  const state = wanted.length === 0 ? 'NotConnected' : 'Connected';
  // An empty mesh is empty, whatever was applied last.
  const isApplied = profile.lastApplied === selector || wanted.length === 0;
  return [
    ...(profile.state === state ? [] : [`state ${state}`]),
    ...(isApplied ? [] : [`an apply of ${selector}`]),
    ...wanted.filter((name) => attached.get(name)?.mesh?.state !== 'Connected'),
    ...[...attached.keys()].filter((name) => !wanted.includes(name)).map((name) => `${name} out`),
  ];
}

function stateText(
  { profile, applied }: MeshView,
  wanted: readonly string[],
  missing: readonly string[],
): string {
  const connected = applied.filter(({ mesh }) => mesh?.state === 'Connected').length;
  return `${connected} of ${wanted.length} connected (${profile.state}), missing: ${namesText(missing)}`;
}

function stuckOf(
  { profile, applied }: MeshView,
  wanted: readonly string[],
): readonly FleetMember[] {
  return applied.filter(
    (member) =>
      wanted.includes(member.name) &&
      isAttachedTo(member, profile) &&
      member.mesh?.state !== 'Connected',
  );
}

/**
 * Taking members out and putting them back helps when the mesh works for the others. When nobody is
 * connected the cause lies elsewhere, and applying again would only hide it. @see fleet-api.md §8
 */
function isWorthRejoining(
  stuck: readonly FleetMember[],
  wanted: readonly string[],
  rejoins: number,
): boolean {
  return stuck.length > 0 && stuck.length <= wanted.length / 2 && rejoins < MOST_REJOINS;
}

/** Who does not come after that needs somebody to look at it; chosen. */
const MOST_REJOINS = 3;

function isToApply(
  { profile, applied: attached }: MeshView,
  wanted: readonly string[],
  { selector }: Joining,
  { applied, nudge }: { readonly applied: boolean; readonly nudge: boolean },
): boolean {
  if (profile.state === 'Applying') return false;
  if (profile.lastApplied !== selector || nudge) return true;
  // Members' own documents trail the profile: another process' apply may just have ended.
  const names = attached.map(({ name }) => name).sort();
  const isTrailing = profile.state === 'Connected' && names.join() === wanted.join();
  return !applied && !isTrailing;
}

/** True when the apply was accepted; one that is under way is not an error, it is waited for. */
async function apply(joining: Joining, view: MeshView): Promise<boolean> {
  const { world, profile, selector, budget } = joining;
  const bounds = boundsOf(world, budget);
  if (view.profile.selector !== selector) {
    const put = await world.api.putProfile(profile, selector, bounds);
    if (put.state !== 'done') return false;
  }
  return await applyOnce(joining);
}

function failure({ profile }: Joining, { applied }: MeshView): Error {
  const members = applied
    .filter(({ mesh }) => mesh?.state !== 'Connected')
    .map(
      ({ name, mesh }) =>
        `${name}: ${mesh?.error?.code ?? mesh?.state ?? 'unknown'}${messageOf(mesh?.error?.message)}`,
    );
  return meshFailed(profile, members.sort());
}

function messageOf(message: string | undefined): string {
  return message === undefined || message === '' ? '' : `: ${message}`;
}
