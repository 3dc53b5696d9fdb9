import type { InventoryCluster } from '../../model/inventory.js';

/** A cluster of an inventory that tells nothing of itself but what `changes` say. */
export function inventoryCluster(
  number: number,
  changes: Partial<InventoryCluster> = {},
): InventoryCluster {
  return {
    role: `mesh-00${number}`,
    number,
    nodes: 1,
    podCidrs: [],
    nodeCidrs: [],
    serviceCidrs: [],
    podNetwork: 'flat',
    datapath: true,
    access: { kind: 'kubeconfig', file: 'f', context: 'c' },
    ...changes,
  };
}
