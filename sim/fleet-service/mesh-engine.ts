import { selects } from '../../fleet/labels.js';
import type { Milliseconds } from '../../model/quantity.js';
import { joinCandidates, lowestFreeId, type MeshChange } from './mesh-change.js';
import {
  nextGuid,
  touch,
  type ServiceState,
  type StoredFleet,
  type StoredMember,
  type StoredProfile,
} from './state.js';

/**
 * Starts reconciling a mesh. Its answer comes at once; everything else happens later and shows in
 * `status.state` alone. @see fleet-api.md §§5.4, 8, 16
 */
export function applyMesh(state: ServiceState, fleet: StoredFleet, profile: StoredProfile): void {
  const { timeline, knobs } = state;
  const start = timeline.now();
  profile.generation += 1;
  profile.lastApplied = profile.selector;
  profile.lastOperationId = nextGuid(state);
  profile.state = 'Applying';
  touch(state, profile);
  const change = changeOf(state, fleet, profile);
  const { generation } = profile;
  const later = (after: Milliseconds, happens: () => void): void => {
    timeline.at(start + after, () => {
      if (profile.generation === generation && isThere(fleet, profile)) happens();
    });
  };
  for (const member of change.leavers) setMeshState(state, member, 'Disconnecting');
  later(CONNECTING_AFTER, () => {
    for (const member of change.joiners) attach(state, fleet, profile, member, change);
  });
  if (knobs.applyNeverEnds) return;
  const leavesEnd = leaveMembers(change, later, state);
  later(CONNECTING_AFTER + 1, () => {
    finish(state, fleet, profile, leavesEnd, later);
  });
}

/** @see fleet-api.md §16: Connecting at apply + 2 s */
const CONNECTING_AFTER: Milliseconds = 2_000;
/** The profile follows its last leaver so late: 32 s and 30 s. @see fleet-api.md §14 */
const SETTLES_AFTER_LEAVE: Milliseconds = 2_000;

type Later = (after: Milliseconds, happens: () => void) => void;

function changeOf(state: ServiceState, fleet: StoredFleet, profile: StoredProfile): MeshChange {
  const members = [...fleet.members.values()];
  const isWanted = (member: StoredMember): boolean => selects(profile.selector, member.seenLabels);
  const joiners = joinCandidates(members, isWanted, state.knobs);
  const leavers = members.filter((one) => one.mesh?.profile === profile && !isWanted(one));
  const limit = state.knobs.stallAfter ?? Number.POSITIVE_INFINITY;
  const stuck = new Set(joiners.length > limit ? joiners.slice(limit) : []);
  const failedBefore = new Set(leavers.filter(({ mesh }) => mesh?.state === 'Failed'));
  return { joiners, leavers, stuck, failedBefore };
}

function attach(
  state: ServiceState,
  fleet: StoredFleet,
  profile: StoredProfile,
  member: StoredMember,
  change: MeshChange,
): void {
  if (member.mesh !== undefined || fleet.members.get(member.name) !== member) return;
  const now = state.timeline.now();
  const ciliumId = lowestFreeId(fleet, profile, state.knobs.idOrder);
  const stuck = change.stuck.has(member);
  member.mesh = { profile, ciliumId, state: 'Connecting', updatedAt: now, since: now, stuck };
  touch(state, member);
}

/** When the last leaver is out. */
function leaveMembers(change: MeshChange, later: Later, state: ServiceState): Milliseconds {
  let end = 0;
  for (const member of change.leavers) {
    const { knobs } = state;
    const wasFailed = change.failedBefore.has(member);
    const after = wasFailed ? knobs.leaveFailedMs : knobs.leaveMs;
    end = Math.max(end, after);
    later(after, () => {
      if (member.mesh === undefined) return;
      member.left = { profile: member.mesh.profile, at: state.timeline.now() };
      member.mesh = undefined;
      touch(state, member);
    });
  }
  return end;
}

/** Plans the end of an apply, once everybody who joins has been attached. */
function finish(
  state: ServiceState,
  fleet: StoredFleet,
  profile: StoredProfile,
  leavesEnd: Milliseconds,
  later: Later,
): void {
  const { knobs } = state;
  const inside = attachedTo(fleet, profile).filter(({ mesh }) => mesh?.state !== 'Disconnecting');
  const good = inside.filter((member) => connects(member, inside.length, knobs));
  const bad = inside.filter((member) => !good.includes(member));
  const fresh = good.filter(({ mesh }) => mesh?.state !== 'Connected');
  const settles = leavesEnd + (leavesEnd === 0 ? CONNECTING_AFTER * 2 : SETTLES_AFTER_LEAVE);
  const connected = fresh.length === 0 ? settles : Math.max(settles, knobs.connectMs);
  const [least, most] = knobs.documentLagMs;
  for (const [index, member] of fresh.entries()) {
    const lag = least + ((most - least) * (index + 1)) / fresh.length;
    later(connected + lag, () => {
      setMeshState(state, member, 'Connected');
    });
  }
  if (bad.length > 0) {
    failLater(state, profile, bad, later);
    return;
  }
  later(connected, () => {
    profile.state = attachedTo(fleet, profile).length === 0 ? 'NotConnected' : 'Connected';
    touch(state, profile);
  });
}

function connects(member: StoredMember, size: number, knobs: ServiceState['knobs']): boolean {
  if (knobs.falseConnected) return true;
  if (member.mesh?.stuck === true || size < 2) return false;
  return knobs.noConnectivity !== 'all' && !knobs.noConnectivity.includes(member.name);
}

function failLater(
  state: ServiceState,
  profile: StoredProfile,
  bad: readonly StoredMember[],
  later: Later,
): void {
  const { knobs } = state;
  later(knobs.failedAfterMs - 7_000, () => {
    for (const member of bad) setMeshState(state, member, 'Failed');
  });
  later(knobs.failedAfterMs, () => {
    profile.state = 'Failed';
    touch(state, profile);
  });
  const rewrite = (after: Milliseconds): void => {
    later(after, () => {
      for (const member of bad) if (member.mesh !== undefined) touch(state, member);
      rewrite(after + knobs.failureTickMs);
    });
  };
  rewrite(knobs.failedAfterMs + knobs.failureTickMs);
  if (knobs.failedToConnectedAfterMs === undefined) return;
  later(knobs.failedAfterMs + knobs.failedToConnectedAfterMs, () => {
    for (const member of bad) setMeshState(state, member, 'Connected');
    profile.state = 'Connected';
    touch(state, profile);
  });
}

function setMeshState(
  state: ServiceState,
  member: StoredMember,
  to: 'Connected' | 'Disconnecting' | 'Failed',
): void {
  if (member.mesh === undefined) return;
  member.mesh.state = to;
  member.mesh.updatedAt = state.timeline.now();
  touch(state, member);
}

function attachedTo(fleet: StoredFleet, profile: StoredProfile): readonly StoredMember[] {
  return [...fleet.members.values()].filter(({ mesh }) => mesh?.profile === profile);
}

function isThere(fleet: StoredFleet, profile: StoredProfile): boolean {
  return fleet.profiles.get(profile.name.toLowerCase()) === profile;
}
