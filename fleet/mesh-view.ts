import type { CallBounds, FleetApi, FleetMember, MeshProfile } from './fleet-api.js';
import { sameId } from './resource-id.js';

/** One look at a mesh: two reads, whatever its size. */
export interface MeshView {
  readonly profile: MeshProfile;
  /** The members that are attached. */
  readonly applied: readonly FleetMember[];
}

/** Looks at a mesh; undefined when it is not there. */
export async function lookAtMesh(
  api: FleetApi,
  profile: string,
  bounds: CallBounds,
): Promise<MeshView | undefined> {
  const found = await api.profile(profile, bounds);
  if (found === undefined) return undefined;
  return { profile: found, applied: await api.applied(profile, bounds) };
}

/** Changes exactly when a state of the mesh or of one of its members does. eTags move without that. */
export function fingerprint({ profile, applied }: MeshView): string {
  const members = applied.map(({ name, mesh }) => `${name}=${mesh?.state ?? 'none'}`).sort();
  return [profile.state, profile.lastApplied ?? '', ...members].join(' ');
}

/** `3 of 5 connected, 2 to go: mesh-004, mesh-005`. */
export function namesText(names: readonly string[]): string {
  const sorted = [...names].sort();
  const shown = sorted.slice(0, MOST_NAMES).join(', ');
  return sorted.length > MOST_NAMES ? `${shown} and ${sorted.length - MOST_NAMES} more` : shown;
}

/** So many names fit into a line that is still read; chosen. Errors list all of them. */
const MOST_NAMES = 8;

/** Whether the member is attached to this profile, by its own document. */
export function isAttachedTo(member: FleetMember, profile: MeshProfile): boolean {
  return member.mesh !== undefined && sameId(member.mesh.profileId, profile.id);
}
