import { UserError } from '../model/user-error.js';
import { sleepWithin, type Budget } from './budget.js';
import { createNudges } from './nudges.js';
import type { CallBounds, Written } from './fleet-api.js';
import { boundsOf, type FleetWorld } from './fleet-world.js';
import { detachedLabels, DRAIN_SELECTOR } from './labels.js';
import { pollPeriod } from './mesh-policy.js';
import { lookAtMesh, namesText, type MeshView } from './mesh-view.js';
import { relabel } from './relabel.js';
import { tellChanges, type TellChanges } from './tell-changes.js';

/** How taking everybody out of a mesh ended. */
export interface Emptied {
  /** `gone`: the profile, the fleet or the group is not there any more. */
  readonly state: 'empty' | 'gone' | 'timed-out';
  readonly remaining: readonly string[];
  readonly applies: number;
  readonly lastState: string;
}

/**
 * Takes every member out of a mesh: a selector that selects nobody, one apply, and waiting until
 * the applied list is empty in two looks, one after the other. What a look finds decides what is
 * done next, so it makes no difference who did the steps before. @see fleet-api.md §10.3, S1–S3
 */
export async function emptyMesh(
  profile: string,
  world: FleetWorld,
  budget: Budget,
): Promise<Emptied> {
  const bounds = boundsOf(world, budget);
  const tell = tellChanges(world, `drain ${profile}`);
  const emptying: Emptying = { profile, world, bounds, tell, applies: 0, ...UNVERIFIED };
  const nudges = createNudges(world.clock);
  for (let empty = 0, looks = 0; ; looks += 1) {
    const view = await lookAtMesh(world.api, profile, bounds);
    if (view === undefined) return ended('gone', undefined, emptying);
    const isEmpty = view.applied.length === 0 && view.profile.state !== 'Applying';
    empty = isEmpty ? empty + 1 : 0;
    // Never attached to anything: no write is needed. Otherwise a list may lag, so look twice.
    if (empty >= 2 || (isEmpty && looks === 0)) return ended('empty', view, emptying);
    tell(stateText(view));
    if (!isEmpty && (await step(view, emptying, nudges.due(view))) === 'gone') {
      return ended('gone', undefined, emptying);
    }
    if (budget.spent()) return ended('timed-out', view, emptying);
    await sleepWithin(budget, pollPeriod(budget.elapsed()), world);
  }
}

const UNVERIFIED = { verified: false, byLabels: false };

interface Emptying {
  readonly profile: string;
  readonly world: FleetWorld;
  readonly bounds: CallBounds;
  readonly tell: TellChanges;
  applies: number;
  /** Nobody is selected by the selector that selects nobody: checked once. */
  verified: boolean;
  /** The selector cannot be used: members are taken out one by one, by their labels. */
  byLabels: boolean;
}

/** Does what the mesh as it was just seen needs, if anything. */
async function step(
  view: MeshView,
  emptying: Emptying,
  nudge: boolean,
): Promise<'gone' | undefined> {
  const { profile } = view;
  if (!emptying.byLabels && (profile.selector !== DRAIN_SELECTOR || !emptying.verified)) {
    const changed = await changeSelector(emptying);
    if (changed !== 'changed') return changed === 'gone' ? 'gone' : undefined;
  }
  if (emptying.byLabels && (nudge || emptying.applies === 0)) await relabelSelected(emptying);
  if (profile.state === 'Applying') return undefined;
  const wanted = emptying.byLabels ? profile.selector : DRAIN_SELECTOR;
  const applied = profile.lastApplied === wanted && (emptying.applies > 0 || !emptying.byLabels);
  if (applied && !nudge) return undefined;
  const written = await emptying.world.api.apply(emptying.profile, emptying.bounds);
  if (written.state === 'done') emptying.applies += 1;
  return isGone(written) ? 'gone' : undefined;
}

/** Writes the selector that selects nobody. When that cannot be, labels have to do it. */
async function changeSelector(emptying: Emptying): Promise<'changed' | 'gone' | 'refused-for-now'> {
  const { world, profile, bounds, tell } = emptying;
  try {
    const written = await world.api.putProfile(profile, DRAIN_SELECTOR, bounds);
    if (isGone(written)) return 'gone';
    if (written.state === 'refused') {
      tell(`the selector cannot be changed yet: ${written.error.code}`);
      return 'refused-for-now';
    }
  } catch (error) {
    if (!(error instanceof UserError) || error.code !== 'azure/refused') throw error;
    tell(`the selector cannot be changed, so labels are: ${error.given ?? error.problem}`);
    emptying.byLabels = true;
    return 'changed';
  }
  emptying.verified = true;
  emptying.byLabels = (await world.api.selected(profile, bounds)).length > 0;
  return 'changed';
}

/** The fallback: N writes. Who could not be relabelled is tried again with the next nudge. */
async function relabelSelected(emptying: Emptying): Promise<void> {
  const { world, profile, bounds, tell } = emptying;
  const now = await world.api.profile(profile, bounds);
  const selected = await world.api.selected(profile, bounds);
  const change = (labels: Readonly<Record<string, string>>) =>
    detachedLabels(labels, now?.selector);
  const results = await relabel(selected, change, world.api, bounds);
  const refused = results.filter(({ state }) => state === 'refused').map(({ name }) => name);
  if (refused.length > 0) tell(`labels could not be changed yet: ${namesText(refused)}`);
}

function isGone(written: Written<unknown>): boolean {
  return (
    written.state === 'absent' || (written.state === 'refused' && written.kind === 'group-deleting')
  );
}

function stateText({ profile, applied }: MeshView): string {
  const names = applied.map(({ name }) => name);
  const left =
    names.length === 0 ? 'none attached' : `${names.length} attached: ${namesText(names)}`;
  return `${left} (${profile.state})`;
}

function ended(
  state: Emptied['state'],
  view: MeshView | undefined,
  { applies }: Emptying,
): Emptied {
  const remaining = (view?.applied ?? []).map(({ name }) => name).sort();
  return { state, remaining, applies, lastState: view?.profile.state ?? 'gone' };
}
