import type { FleetStatus, MemberStatus } from '../../fleet/status.js';

/** A mesh as people read it: its state, then one line for each member. */
export function fleetStatusText(status: FleetStatus): string {
  const { profile, state, selector, lastApplied, members } = status;
  const applied = lastApplied === selector ? 'applied' : `applied: ${lastApplied ?? 'never'}`;
  const width = Math.max(6, ...members.map(({ name }) => name.length));
  return [
    `${profile}  ${state}  ${selector === undefined ? 'selects nobody' : `${selector} (${applied})`}`,
    ...members.map((member) => `${member.name.padEnd(width)}  ${memberText(member)}`),
  ].join('\n');
}

function memberText(member: MemberStatus): string {
  const { provisioningState, selected, mesh, ciliumId, ciliumName, error, elsewhere } = member;
  const joined =
    provisioningState === 'Succeeded' ? [] : [`joining the fleet: ${provisioningState}`];
  if (elsewhere !== undefined) return [`in another mesh: ${elsewhere}`, ...joined].join(', ');
  if (mesh === undefined) {
    return [selected ? 'selected, not attached' : 'not in the mesh', ...joined].join(', ');
  }
  const identity = `id ${ciliumId ?? '?'}, ${ciliumName ?? '?'}`;
  const leaving = selected ? [] : ['not selected any more'];
  return [
    `${mesh} (${identity})`,
    ...leaving,
    ...joined,
    ...(error === undefined ? [] : [error]),
  ].join(', ');
}
