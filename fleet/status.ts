import { startBudget } from './budget.js';
import { unknownFleet } from './errors.js';
import { boundsOf, type FleetWorld } from './fleet-world.js';
import { meshSelector, selects } from './labels.js';
import { sameId } from './resource-id.js';

/** A member as a look at the fleet sees it. */
export interface MemberStatus {
  readonly name: string;
  /** Of joining the fleet. */
  readonly provisioningState: string;
  /** The mesh selects it by its labels. */
  readonly selected: boolean;
  /** Its state in the mesh. @default - it is not in this mesh */
  readonly mesh?: string | undefined;
  readonly ciliumId?: number | undefined;
  readonly ciliumName?: string | undefined;
  readonly error?: string | undefined;
  /** The other mesh that it is in. @default - none */
  readonly elsewhere?: string | undefined;
}

/** A fleet and one of its meshes. */
export interface FleetStatus {
  readonly fleetId: string;
  readonly profile: string;
  /** `absent` when there is no such profile. */
  readonly state: string;
  readonly selector?: string | undefined;
  readonly lastApplied?: string | undefined;
  readonly members: readonly MemberStatus[];
}

/** Looks once at a mesh and all members of its fleet. Throws when there is no such fleet. */
export async function fleetStatus(profile: string, world: FleetWorld): Promise<FleetStatus> {
  const budget = startBudget(world.clock, STATUS_BUDGET);
  const bounds = boundsOf(world, budget);
  if (!(await world.api.fleetExists(bounds))) throw unknownFleet(world.fleetId);
  const found = await world.api.profile(profile, bounds);
  const selector = found?.selector ?? meshSelector(profile);
  const profileId = `${world.fleetId}/clusterMeshProfiles/${profile}`;
  const members = (await world.api.members(bounds)).map((member): MemberStatus => {
    const { name, provisioningState, labels, mesh } = member;
    const selected = selects(selector, labels);
    if (mesh === undefined) return { name, provisioningState, selected };
    if (!sameId(mesh.profileId, profileId)) {
      return { name, provisioningState, selected, elsewhere: mesh.profileId };
    }
    const { state, ciliumId, ciliumName, error } = mesh;
    const text = error === undefined ? undefined : `${error.code}: ${error.message}`;
    return { name, provisioningState, selected, mesh: state, ciliumId, ciliumName, error: text };
  });
  return {
    fleetId: world.fleetId,
    profile,
    state: found?.state ?? 'absent',
    selector: found?.selector,
    lastApplied: found?.lastApplied,
    members: members.sort((one, other) => one.name.localeCompare(other.name)),
  };
}

/** Three reads; a service that answers nothing for so long is a fault to be told. Chosen. */
const STATUS_BUDGET = 2 * 60_000;
