import type { Knobs } from './knobs.js';
import type { StoredFleet, StoredMember, StoredProfile } from './state.js';

/** Who comes and who goes by an apply. */
export interface MeshChange {
  readonly joiners: readonly StoredMember[];
  readonly leavers: readonly StoredMember[];
  /** Joiners that will not connect. */
  readonly stuck: ReadonlySet<StoredMember>;
  /** Leavers of a mesh that had failed for them: they go more quickly. */
  readonly failedBefore: ReadonlySet<StoredMember>;
}

/** Members that an apply attaches, in the order of their names. */
export function joinCandidates(
  members: readonly StoredMember[],
  isWanted: (member: StoredMember) => boolean,
  knobs: Knobs,
): readonly StoredMember[] {
  return members
    .filter(
      (one) => isWanted(one) && one.mesh === undefined && !knobs.skipMembers.includes(one.name),
    )
    .sort((one, other) => one.name.localeCompare(other.name));
}

/** The Cilium id that comes next: 1…255, unique in the mesh; from the other end when shuffled. */
export function lowestFreeId(
  fleet: StoredFleet,
  profile: StoredProfile,
  order: Knobs['idOrder'],
): number {
  const taken = new Set(
    [...fleet.members.values()].flatMap(({ mesh }) =>
      mesh?.profile === profile ? [mesh.ciliumId] : [],
    ),
  );
  const ids = Array.from({ length: 255 }, (_, index) => index + 1);
  // 101 and 255 have no common divisor, so this visits every id once.
  const ordered = order === 'lowest' ? ids : ids.map((id) => ((id * 101) % 255) + 1);
  return ordered.find((id) => !taken.has(id)) ?? 0;
}
