import type { Scenario } from '../../model/scenario-spec.js';

/**
 * Whether the clusters of a scenario have to be under load at the same time: their phases meet at
 * barriers, or they watch each other's changes. Of such a run no part can be made later or again alone.
 */
export function observesTogether({
  phases,
  probes,
  faults,
}: Pick<Scenario, 'phases' | 'probes' | 'faults'>): boolean {
  return probes.length > 0 || faults.length > 0 || phases.some(({ sync }) => sync === 'barrier');
}
