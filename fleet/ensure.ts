import { throwAll } from '../model/user-error.js';
import type { Milliseconds } from '../model/quantity.js';
import { startBudget } from './budget.js';
import { checkEnsure } from './check-request.js';
import { converge } from './converge.js';
import { inOtherMesh, fleetBusy, unknownFleet, unknownMembers, memberFailed } from './errors.js';
import type { FleetMember } from './fleet-api.js';
import { boundsOf, type FleetWorld } from './fleet-world.js';
import type { Joining } from './joining.js';
import { attachedLabels, detachedLabels, meshSelector } from './labels.js';
import { BATCH, connectBudget, LARGE_MESH } from './mesh-policy.js';
import { relabelOrThrow } from './relabel-or-throw.js';
import { sameId } from './resource-id.js';
import { settledMembers } from './settled-members.js';
import { withFleetLock } from './with-fleet-lock.js';

/** Who is to be in which mesh. */
export interface EnsureRequest {
  readonly profile: string;
  readonly members: readonly string[];
  /** @default - by the number of members, see `mesh-policy` */
  readonly timeout?: Milliseconds | undefined;
}

/** How an ensure ended; everything but success is thrown. */
export interface EnsureResult {
  /** `alone`: one member is no mesh, so nothing is applied. */
  readonly state: 'connected' | 'alone';
  readonly members: readonly string[];
  readonly applies: number;
  readonly durationMs: Milliseconds;
}

/**
 * Brings a mesh to the state that all of `members` are connected: selector, labels, apply, waiting.
 * Does nothing where nothing is to be done, so it can be run again at any time. A large mesh is
 * enrolled in batches: one big apply of 100 stalled in three of four tries.
 * @see fleet-api.md §10.2
 */
export async function ensure(request: EnsureRequest, world: FleetWorld): Promise<EnsureResult> {
  throwAll(checkEnsure(request.profile, request.members));
  const { profile } = request;
  const members = [...request.members].sort();
  const budget = startBudget(world.clock, request.timeout ?? connectBudget(members.length));
  const bounds = boundsOf(world, budget);
  if (!(await world.api.fleetExists(bounds))) throw unknownFleet(world.fleetId);
  const about = { purpose: `ensure ${profile}`, budget, needless: () => Promise.resolve(false) };
  const locked = await withFleetLock(world, about, async () => {
    const joining: Joining = {
      profile,
      selector: meshSelector(profile),
      world,
      budget,
      applies: 0,
    };
    const found = await findMembers(members, joining);
    const state = (await isAlone(found, joining))
      ? await stayAlone(found, joining)
      : await join(found, joining);
    return { state, members, applies: joining.applies, durationMs: Math.round(budget.elapsed()) };
  });
  if (locked.state === 'done') return locked.value;
  throw fleetBusy(world.fleetId, locked.state === 'held' ? locked.holder : 'another process');
}

/** All of them, at rest in the fleet; throws for those that are not there, failed, or elsewhere. */
async function findMembers(
  names: readonly string[],
  { profile, world, budget }: Joining,
): Promise<readonly FleetMember[]> {
  const { members, known } = await settledMembers(names, world, budget);
  const missing = names.filter((name) => !members.some((member) => member.name === name));
  if (missing.length > 0) throw unknownMembers(missing, known);
  const profileId = `${world.fleetId}/clusterMeshProfiles/${profile}`;
  throwAll(
    members.flatMap(({ name, provisioningState, mesh }) => {
      if (/^(failed|canceled)$/i.test(provisioningState)) {
        return [memberFailed(name, `provisioningState ${provisioningState}`)];
      }
      const elsewhere = mesh !== undefined && !sameId(mesh.profileId, profileId);
      return elsewhere ? [inOtherMesh(name, mesh.profileId)] : [];
    }),
  );
  return members;
}

/** One member is to be in the mesh, and no other is in it. */
async function isAlone(
  found: readonly FleetMember[],
  { profile, world, budget }: Joining,
): Promise<boolean> {
  if (found.length > 1) return false;
  const applied = await world.api.applied(profile, boundsOf(world, budget));
  return applied.every(({ name }) => name === found[0]?.name);
}

/** A mesh of one sees no peers and would turn Failed, so its last member is taken out of it. */
async function stayAlone(found: readonly FleetMember[], joining: Joining): Promise<'alone'> {
  const { profile, selector, world, budget } = joining;
  if ((await world.api.profile(profile, boundsOf(world, budget))) === undefined) return 'alone';
  const change = (labels: FleetMember['labels']) => detachedLabels(labels, selector);
  await relabelOrThrow(found, change, joining);
  await converge(joining, []);
  return 'alone';
}

async function join(found: readonly FleetMember[], joining: Joining): Promise<'connected'> {
  const { profile, selector, world, budget } = joining;
  const bounds = boundsOf(world, budget);
  const before = await world.api.profile(profile, bounds);
  if (before?.selector !== selector) await writeSelector(joining);
  const batches = batchesOf(found, selector);
  const names = new Set(found.filter((one) => !isIn(one, batches)).map(({ name }) => name));
  for (const [index, batch] of batches.entries()) {
    if (batches.length > 1) {
      const text = `batch ${index + 1} of ${batches.length}: ${batch.map(({ name }) => name).join(', ')}`;
      world.progress.report({ subject: `ensure ${profile}`, state: 'note', text });
    }
    const change = (labels: FleetMember['labels']) => attachedLabels(labels, selector);
    await relabelOrThrow(batch, change, joining);
    for (const { name } of batch) names.add(name);
    await converge(joining, [...names].sort());
  }
  return 'connected';
}

/** Within a small mesh all at once; otherwise those that are not in it yet, some at a time. */
function batchesOf(
  found: readonly FleetMember[],
  selector: string,
): readonly (readonly FleetMember[])[] {
  if (found.length < LARGE_MESH) return [found];
  const isLabelled = ({ labels }: FleetMember): boolean =>
    Object.entries(attachedLabels({}, selector)).every(([key, value]) => labels[key] === value);
  const fresh = found.filter((member) => !isLabelled(member));
  const batches = Array.from({ length: Math.ceil(fresh.length / BATCH) }, (_, index) =>
    fresh.slice(index * BATCH, (index + 1) * BATCH),
  );
  // Those that are labelled already come first, also when nobody else is to come.
  return batches.length === 0 ? [found] : batches;
}

function isIn(member: FleetMember, batches: readonly (readonly FleetMember[])[]): boolean {
  return batches.some((batch) => batch.includes(member));
}

/** During an apply the service may refuse; the converging afterwards looks at the selector as well. */
async function writeSelector(joining: Joining): Promise<void> {
  const { profile, selector, world, budget } = joining;
  const written = await world.api.putProfile(profile, selector, boundsOf(world, budget));
  if (written.state === 'absent') throw unknownFleet(world.fleetId);
}
