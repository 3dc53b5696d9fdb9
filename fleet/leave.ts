import type { Milliseconds } from '../model/quantity.js';
import { sleepWithin, startBudget, type Budget } from './budget.js';
import type { FleetMember } from './fleet-api.js';
import { boundsOf, type FleetWorld } from './fleet-world.js';
import { detachedLabels, DRAIN_SELECTOR, meshSelector, selects } from './labels.js';
import { drainBudget, pollPeriod } from './mesh-policy.js';
import { isAttachedTo, lookAtMesh, namesText, type MeshView } from './mesh-view.js';
import { createNudges } from './nudges.js';
import { relabel } from './relabel.js';
import { tellChanges } from './tell-changes.js';
import { withFleetLock } from './with-fleet-lock.js';

/** Who leaves which mesh. */
export interface LeaveRequest {
  readonly profile: string;
  readonly members: readonly string[];
  /** @default - by the size of the mesh, see `mesh-policy` */
  readonly timeout?: Milliseconds | undefined;
}

/** How leaving ended. */
export interface LeaveResult {
  /** Those that are still attached. */
  readonly remainingMembers: readonly string[];
  readonly applies: number;
  readonly lastState: string;
}

/**
 * Takes members out of a mesh; the others stay connected. First the labels are taken away, then a
 * moment passes, then who gets the lock applies once for all that lost their labels meanwhile: so
 * several processes that leave at once share one apply. Gone members, profiles and fleets are success.
 */
export async function leave(request: LeaveRequest, world: FleetWorld): Promise<LeaveResult> {
  const { profile } = request;
  const first = startBudget(world.clock, request.timeout ?? drainBudget(0));
  const view = await lookAtMesh(world.api, profile, boundsOf(world, first));
  if (view === undefined) return OUT;
  const budget = startBudget(world.clock, request.timeout ?? drainBudget(view.applied.length));
  const leaving: Leaving = { ...request, world, budget, refused: [] };
  if (!(await takeLabels(view, leaving))) return OUT;
  await sleepWithin(budget, COALESCE, world);
  const about = {
    purpose: `leave ${profile}: ${namesText(request.members)}`,
    budget,
    needless: () => isOver(leaving),
  };
  const locked = await withFleetLock(world, about, () => applyUntilOut(leaving));
  if (locked.state === 'done') return locked.value;
  if (locked.state === 'not-needed') return OUT;
  const remainingMembers = (await attached(leaving))?.names ?? [];
  return { remainingMembers, applies: 0, lastState: `waited for ${locked.holder}` };
}

const OUT: LeaveResult = { remainingMembers: [], applies: 0, lastState: 'out' };

/**
 * Terraform starts up to ten of us at once, each a program of its own; so long the first one waits
 * for the labels of the others. Chosen: starting ten Node programs on two cores takes about 3 s.
 */
const COALESCE: Milliseconds = 5_000;

interface Leaving extends LeaveRequest {
  readonly world: FleetWorld;
  readonly budget: Budget;
  /** Why labels could not be taken away. */
  refused: readonly string[];
}

/** Takes away what the mesh selects by; false when none of the members is in the mesh or selected. */
async function takeLabels(view: MeshView, leaving: Leaving): Promise<boolean> {
  const { world, members, profile, budget } = leaving;
  const bounds = boundsOf(world, budget);
  const found = await Promise.all(members.map((name) => world.api.member(name, bounds)));
  const ours = found.filter((one): one is FleetMember => one !== undefined);
  const selectors = selectorsOf(view, profile);
  const change = (labels: Readonly<Record<string, string>>) =>
    selectors.reduce(
      (rest, selector) => (selects(selector, rest) ? detachedLabels(rest, selector) : rest),
      labels,
    );
  const results = await relabel(ours, change, world.api, bounds);
  leaving.refused = results.flatMap((one) =>
    one.state === 'refused' ? [`${one.name}: ${one.reason}`] : [],
  );
  const changed = results.some(({ state }) => state === 'changed' || state === 'refused');
  return changed || ours.some((member) => isInvolved(member, view));
}

/** By what members may be selected: the selector now, the one applied, and the one of an ensure. */
function selectorsOf({ profile }: MeshView, name: string): readonly string[] {
  const all = [profile.selector, profile.lastApplied, meshSelector(name)];
  return [...new Set(all)].filter(
    (one): one is string => one !== undefined && one !== DRAIN_SELECTOR,
  );
}

/** Attached, or an apply is under way that may still attach it. */
function isInvolved(member: FleetMember, { profile, applied }: MeshView): boolean {
  return (
    profile.state === 'Applying' ||
    isAttachedTo(member, profile) ||
    applied.some(({ name }) => name === member.name)
  );
}

interface Attached {
  readonly view: MeshView;
  readonly names: readonly string[];
}

/**
 * Which of ours are attached: by the list and by each one's own document, since either may lag.
 * Undefined when there is no mesh any more. An apply under way may still attach a member.
 */
async function attached({
  world,
  members,
  profile,
  budget,
}: Leaving): Promise<Attached | undefined> {
  const bounds = boundsOf(world, budget);
  const view = await lookAtMesh(world.api, profile, bounds);
  if (view === undefined) return undefined;
  const listed = new Set(view.applied.map(({ name }) => name));
  const names: string[] = [];
  for (const name of members) {
    const own = listed.has(name) ? undefined : await world.api.member(name, bounds);
    if (listed.has(name) || (own !== undefined && isAttachedTo(own, view.profile)))
      names.push(name);
  }
  return { view, names: names.sort() };
}

/** Nothing is left to do, whoever did it. */
async function isOver(leaving: Leaving): Promise<boolean> {
  const now = await attached(leaving);
  if (now === undefined) return true;
  return now.names.length === 0 && now.view.profile.state !== 'Applying';
}

async function applyUntilOut(leaving: Leaving): Promise<LeaveResult> {
  const { world, profile, budget, members } = leaving;
  const tell = tellChanges(world, `leave ${profile}`);
  const nudges = createNudges(world.clock);
  let applies = 0;
  for (let out = 0, looks = 0; ; looks += 1) {
    const now = await attached(leaving);
    if (now === undefined) return { ...OUT, applies };
    const { view, names } = now;
    const { state } = view.profile;
    const isOut = names.length === 0 && state !== 'Applying';
    out = isOut ? out + 1 : 0;
    if (out >= 2) return { remainingMembers: [], applies, lastState: state };
    tell(`${members.length - names.length} of ${members.length} out (${state})${listText(names)}`);
    const nudge = nudges.due(view);
    if (!isOut && state !== 'Applying' && (looks === 0 || applies === 0 || nudge)) {
      if (nudge) await takeLabels(view, leaving);
      const written = await world.api.apply(profile, boundsOf(world, budget));
      if (written.state === 'absent') return { ...OUT, applies };
      if (written.state === 'done') applies += 1;
    }
    if (budget.spent()) {
      const lastState = [state, ...leaving.refused].join('; ');
      return { remainingMembers: names, applies, lastState };
    }
    await sleepWithin(budget, pollPeriod(budget.elapsed()), world);
  }
}

function listText(names: readonly string[]): string {
  return names.length === 0 ? '' : `, still attached: ${namesText(names)}`;
}
