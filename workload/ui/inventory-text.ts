import type { Inventory } from '../../model/inventory.js';

/** An inventory as people read it: one line about the mesh, one for each cluster. */
export function inventoryText(inventory: Inventory): string {
  const { meshName, target, clusters, expectedClusters, fleet, network } = inventory;
  const count = `${clusters.length} of ${expectedClusters} clusters`;
  return [
    `${meshName}  ${target}, ${count}, network ${network.mode}`,
    ...(fleet === undefined ? [] : [`fleet  ${fleet.id}, profile ${fleet.profile}`]),
    ...clusters.map(({ role, kubernetesVersion, nodes, podCidrs, nodeCidrs }) => {
      const ranges = `pods ${podCidrs.join(' ') || '?'}, nodes ${nodeCidrs.join(' ') || '?'}`;
      return `${role}  ${kubernetesVersion ?? 'version ?'}, ${nodes} nodes, ${ranges}`;
    }),
  ].join('\n');
}
