import type { Inventory } from '../../model/inventory.js';
import type { RunPlan } from '../../model/run-plan.js';

/** A need of a scenario that a target cannot meet. */
export type UnmetNeed = RunPlan['unmetNeeds'][number];

/** Which of the needs these clusters do not meet, and why. Not an error: the verdict says so. */
export function unmetNeeds(needs: readonly string[], inventory: Inventory): readonly UnmetNeed[] {
  return needs.flatMap((need) => {
    const reason = reasonAgainst(need, inventory);
    return reason === undefined ? [] : [{ need, reason }];
  });
}

function reasonAgainst(need: string, inventory: Inventory): string | undefined {
  const { clusters, target, fleet } = inventory;
  const least = /^clusters>=(\d+)$/.exec(need)?.[1];
  if (least !== undefined) {
    return clusters.length >= Number(least)
      ? undefined
      : `it needs ${least} clusters, and there are ${clusters.length}`;
  }
  switch (need) {
    case 'datapath': {
      const without = clusters.filter(({ datapath }) => !datapath).map(({ role }) => role);
      return without.length === 0 ? undefined : `no packet can flow in ${without.join(', ')}`;
    }
    case 'azure':
      return target === 'azure' ? undefined : `the target is ${target}, not azure`;
    case 'fleet':
      return fleet === undefined ? 'the clusters are not in a fleet' : undefined;
    case 'nodes': {
      const without = clusters.filter(({ nodes }) => nodes === 0).map(({ role }) => role);
      return without.length === 0 ? undefined : `there is no node in ${without.join(', ')}`;
    }
    default:
      return `this release does not know the need ${need}`;
  }
}
