import type { CallBounds, FleetApi, FleetMember } from './fleet-api.js';
import { sameLabels, userLabels, type Labels } from './labels.js';
import { mapLimited } from './map-limited.js';
import { MEMBER_WRITES_AT_ONCE } from './mesh-policy.js';

/** How giving a member other labels ended. */
export type Relabelled =
  | { readonly name: string; readonly state: 'as-it-was' | 'changed' | 'gone' }
  | { readonly name: string; readonly state: 'refused'; readonly reason: string };

/**
 * Gives members other labels, a few at once. The map is replaced as a whole by the service, so it is
 * computed from what was just read and written under that eTag; when somebody wrote meanwhile, it is
 * read and computed again. @see fleet-api.md §§5.2, 7
 */
export async function relabel(
  members: readonly FleetMember[],
  change: (labels: Labels) => Labels,
  api: FleetApi,
  bounds: CallBounds,
): Promise<readonly Relabelled[]> {
  return await mapLimited(members, MEMBER_WRITES_AT_ONCE, (member) =>
    relabelOne(member, change, api, bounds),
  );
}

async function relabelOne(
  seen: FleetMember,
  change: (labels: Labels) => Labels,
  api: FleetApi,
  bounds: CallBounds,
): Promise<Relabelled> {
  const { name } = seen;
  let member: FleetMember | undefined = seen;
  let reason = '';
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    if (member === undefined) return { name, state: 'gone' };
    const wanted = userLabels(change(member.labels));
    if (sameLabels(wanted, userLabels(member.labels))) {
      return { name, state: tries === 0 ? 'as-it-was' : 'changed' };
    }
    const written = await api.patchLabels(name, wanted, bounds, member.eTag);
    if (written.state === 'done') return { name, state: 'changed' };
    if (written.state === 'absent') return { name, state: 'gone' };
    reason = `${written.error.code}: ${written.error.message}`;
    member = await api.member(name, bounds);
  }
  return { name, state: 'refused', reason };
}

/** @see fleet-api.md §7 */
const MOST_TRIES = 6;
