import type { ServiceState } from './state.js';

/** What must hold after every test, whatever happened in it; each sentence tells of a breach. */
export function breachesOf(state: ServiceState): readonly string[] {
  return [...state.violations, ...meshBreaches(state), ...journalBreaches(state)];
}

function meshBreaches({ fleets }: ServiceState): readonly string[] {
  const breaches: string[] = [];
  for (const fleet of fleets.values()) {
    const taken = new Map<string, string>();
    for (const { name, mesh } of fleet.members.values()) {
      if (mesh === undefined) continue;
      const key = `${mesh.profile.name}/${mesh.ciliumId}`;
      if (taken.has(key)) breaches.push(`${name} and ${taken.get(key) ?? ''} have the id ${key}`);
      taken.set(key, name);
      if (fleet.profiles.get(mesh.profile.name.toLowerCase()) !== mesh.profile) {
        breaches.push(`${name} is attached to ${mesh.profile.name}, which is gone`);
      }
    }
  }
  return breaches;
}

/** eTags move without user writes, so nothing of a drain may depend on them. @see fleet-api.md §7 */
function journalBreaches({ journal }: ServiceState): readonly string[] {
  return journal
    .filter(({ ifMatch, method }) => ifMatch !== undefined && method !== 'PATCH')
    .map(({ method, path }) => `${method} ${path} carries If-Match`);
}
