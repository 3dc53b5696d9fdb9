import type { CallBounds } from '../../fleet/fleet-api.js';
import type { FleetWorld } from '../../fleet/fleet-world.js';
import { detachedLabels } from '../../fleet/labels.js';

/**
 * The loop that a script over the Azure CLI does: one member after the other loses its label, then
 * apply, then each member is asked in turn whether it is out, then the profile goes.
 */
export async function relabelLoop(
  profile: string,
  { api, clock }: FleetWorld,
  bounds: CallBounds,
): Promise<void> {
  const members = await api.applied(profile, bounds);
  for (const { name } of members) {
    const member = await api.member(name, bounds);
    if (member === undefined) continue;
    await api.patchLabels(name, detachedLabels(member.labels, `mesh=${profile}`), bounds);
  }
  await api.apply(profile, bounds);
  for (const { name } of members) {
    while ((await api.member(name, bounds))?.mesh !== undefined) await clock.sleep(5_000);
  }
  while ((await api.profile(profile, bounds))?.state === 'Applying') await clock.sleep(5_000);
  await api.deleteProfile(profile, bounds);
}
