import { MAX_CLUSTERS } from '../model/cluster-identity.js';
import type { UserError } from '../model/user-error.js';
import { badArgument } from './errors.js';
import {
  isFleetId,
  isFleetName,
  LONGEST_MEMBER_NAME,
  LONGEST_PROFILE_NAME,
} from './resource-id.js';

/** All that is wrong with the members that are to form a mesh. */
export function checkEnsure(profile: string, members: readonly string[]): readonly UserError[] {
  return [...checkProfile(profile), ...checkMembers(members), ...checkSet(members)];
}

/** Whether the id of a fleet is one. */
export function checkFleetId(id: string | undefined): readonly UserError[] {
  if (id !== undefined && isFleetId(id)) return [];
  return [
    badArgument(
      '--fleet',
      'the id of the fleet is missing or is none',
      id,
      '/subscriptions/…/resourceGroups/…/providers/Microsoft.ContainerService/fleets/…',
    ),
  ];
}

/** Whether a profile can have this name. */
export function checkProfile(profile: string): readonly UserError[] {
  if (isFleetName(profile, LONGEST_PROFILE_NAME)) return [];
  const expected = `1 to ${LONGEST_PROFILE_NAME} of a-z, 0-9 and -, not at the ends`;
  return [badArgument('--profile', 'a profile cannot have this name', profile, expected)];
}

/** Whether members can have these names. */
export function checkMembers(members: readonly string[]): readonly UserError[] {
  return members
    .filter((name) => !isFleetName(name, LONGEST_MEMBER_NAME))
    .map((name) =>
      badArgument(
        `--member ${name}`,
        'a member of a mesh cannot have this name',
        name,
        `1 to ${LONGEST_MEMBER_NAME} of a-z, 0-9 and -, not at the ends`,
      ),
    );
}

/**
 * Cilium's name is the member's followed by its id without a separator, so names of different length
 * can collide: `mesh-1` with id 15 and `mesh-11` with id 5. @see fleet-api.md §11
 */
function checkSet(members: readonly string[]): readonly UserError[] {
  const problems: UserError[] = [];
  const twice = members.filter((name, index) => members.indexOf(name) !== index);
  if (members.length === 0 || members.length > MAX_CLUSTERS) {
    const expected = `1 to ${MAX_CLUSTERS} members`;
    problems.push(badArgument('--member', 'a mesh of so many', String(members.length), expected));
  }
  if (twice.length > 0) {
    problems.push(
      badArgument('--member', 'members are named twice', twice.join(', '), 'each of them once'),
    );
  }
  if (new Set(members.map(({ length }) => length)).size > 1) {
    const expected = 'names of equal length, such as mesh-001 and mesh-012';
    problems.push(
      badArgument(
        '--member',
        'names of different length can become the same name in Cilium',
        members.join(', '),
        expected,
      ),
    );
  }
  return problems;
}
