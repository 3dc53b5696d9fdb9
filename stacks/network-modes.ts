import type { Construct } from '../constructs/cdk.js';
import type { MeshCluster } from '../constructs/mesh-cluster.js';
import type { IMeshVnet } from '../constructs/mesh-clusters.js';
import type { IMeshNetwork } from '../constructs/mesh-network.js';
import type { ResourceGroup } from '../constructs/providers.js';
import { SharedVnet } from '../constructs/shared-vnet.js';
import { SharedVnetMesh } from '../constructs/shared-vnet-mesh.js';
import { VirtualNetworkManagerMesh } from '../constructs/virtual-network-manager-mesh.js';
import { VnetPeeringMesh } from '../constructs/vnet-peering-mesh.js';
import type { MeshSettings } from './settings.js';

/** The VNet that all clusters lie in; undefined in the modes in which each has its own. */
export function commonVnet(
  scope: Construct,
  settings: MeshSettings,
  resourceGroup: ResourceGroup,
): IMeshVnet | undefined {
  if (settings.network !== 'shared-vnet') return undefined;
  const tags = { meshscale: settings.meshName };
  return new SharedVnet(scope, 'vnet', { resourceGroup, name: settings.meshName, tags });
}

/** Connects the clusters in the way that the settings say. */
export function connectClusters(
  scope: Construct,
  settings: MeshSettings,
  resourceGroup: ResourceGroup,
  clusters: MeshCluster,
): IMeshNetwork {
  const pods =
    settings.plannedPodsPerNode === undefined
      ? {}
      : { plannedPodsPerNode: settings.plannedPodsPerNode };
  switch (settings.network) {
    case 'peering':
      return new VnetPeeringMesh(scope, 'peering', { clusters, ...pods });
    case 'shared-vnet':
      return new SharedVnetMesh(scope, 'shared', { clusters, ...pods });
    case 'virtual-network-manager':
      return new VirtualNetworkManagerMesh(scope, 'connected', {
        clusters,
        resourceGroup,
        meshName: settings.meshName,
        ...pods,
        ...(settings.networkManagerId === undefined
          ? {}
          : { networkManagerId: settings.networkManagerId }),
      });
  }
}
