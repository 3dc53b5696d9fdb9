/**
 * The one file that imports provider classes, each by its subpath: the root of the azurerm provider
 * costs seconds and hundreds of megabytes, a subpath a third of a second.
 */
export { AzurermProvider } from '@cdktf/provider-azurerm/lib/provider/index.js';
export { KubernetesCluster } from '@cdktf/provider-azurerm/lib/kubernetes-cluster/index.js';
export type {
  KubernetesClusterConfig,
  KubernetesClusterNetworkProfile,
} from '@cdktf/provider-azurerm/lib/kubernetes-cluster/index.js';
export { KubernetesClusterNodePool } from '@cdktf/provider-azurerm/lib/kubernetes-cluster-node-pool/index.js';
export type { KubernetesClusterNodePoolConfig } from '@cdktf/provider-azurerm/lib/kubernetes-cluster-node-pool/index.js';
export { KubernetesFleetManager } from '@cdktf/provider-azurerm/lib/kubernetes-fleet-manager/index.js';
export { KubernetesFleetMember } from '@cdktf/provider-azurerm/lib/kubernetes-fleet-member/index.js';
export { ResourceGroup } from '@cdktf/provider-azurerm/lib/resource-group/index.js';
export { RoleAssignment } from '@cdktf/provider-azurerm/lib/role-assignment/index.js';
export { Subnet } from '@cdktf/provider-azurerm/lib/subnet/index.js';
export { UserAssignedIdentity } from '@cdktf/provider-azurerm/lib/user-assigned-identity/index.js';
export { VirtualNetwork } from '@cdktf/provider-azurerm/lib/virtual-network/index.js';
export { VirtualNetworkPeering } from '@cdktf/provider-azurerm/lib/virtual-network-peering/index.js';
export { NullProvider } from '@cdktf/provider-null/lib/provider/index.js';
export { Resource as NullResource } from '@cdktf/provider-null/lib/resource/index.js';
export { NetworkManager } from '@cdktf/provider-azurerm/lib/network-manager/index.js';
export { NetworkManagerConnectivityConfiguration } from '@cdktf/provider-azurerm/lib/network-manager-connectivity-configuration/index.js';
export { NetworkManagerDeployment } from '@cdktf/provider-azurerm/lib/network-manager-deployment/index.js';
export { NetworkManagerNetworkGroup } from '@cdktf/provider-azurerm/lib/network-manager-network-group/index.js';
export { NetworkManagerStaticMember } from '@cdktf/provider-azurerm/lib/network-manager-static-member/index.js';
