import { Construct, type ITerraformDependable } from './cdk.js';
import type { IMeshClusters } from './mesh-clusters.js';
import type { IMeshNetwork } from './mesh-network.js';
import { requireCeilings } from './network-ceilings.js';

/** Clusters that lie in one VNet. */
export interface SharedVnetMeshProps {
  readonly clusters: IMeshClusters;
  /** Pods per node that the ceiling of addresses is checked with. @default 24 */
  readonly plannedPodsPerNode?: number;
}

/**
 * The network of clusters in one `SharedVnet`. Nothing has to be connected; what bounds it is the
 * 65,536 private addresses that Azure allows in a VNet: 94 clusters of 21 nodes with 24 planned pods.
 */
export class SharedVnetMesh extends Construct implements IMeshNetwork {
  readonly mode = 'shared-vnet';
  readonly connected: readonly ITerraformDependable[] = [];

  constructor(scope: Construct, id: string, props: SharedVnetMeshProps) {
    super(scope, id);
    requireCeilings(this.mode, props);
  }
}
