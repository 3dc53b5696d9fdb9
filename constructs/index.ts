/**
 * Constructs for meshes of AKS clusters: the public door of this folder, never imported from inside
 * of it.
 *
 * @packageDocumentation
 */
export type { ClusterAttributes } from './cluster-attributes.js';
export { ClusterSpec, type ClusterSpecProps } from './cluster-spec.js';
export { ClusterVariable } from './cluster-variable.js';
export type { ClusterField, IClusterSet, PlanCondition } from './cluster-set.js';
export { CreatedAt } from './created-at.js';
export { template, type Expression } from './expressions.js';
export { Fleet, type FleetProps, type IFleet } from './fleet.js';
export { FleetHandler, type HandlerCall, type HandlerVerb } from './fleet-handler.js';
export { FleetMesh } from './fleet-mesh.js';
export type { FleetMeshProps } from './fleet-mesh-props.js';
export { InventoryOutput, type InventoryOutputProps } from './inventory-output.js';
export { ListedClusters } from './listed-clusters.js';
export { MeshCluster } from './mesh-cluster.js';
export type { IResourceGroup, MeshClusterProps } from './mesh-cluster-props.js';
export type { ClusterFact, IMeshClusters, IMeshVnet, PodNetwork } from './mesh-clusters.js';
export type { IMeshNetwork } from './mesh-network.js';
export { oneCluster, type OneClusterProps } from './one-cluster.js';
export { RetiredFleetMesh, type RetiredFleetMeshProps } from './retired-fleet-mesh.js';
export { SharedVnet, type SharedVnetProps, type VnetAttributes } from './shared-vnet.js';
export { SharedVnetMesh, type SharedVnetMeshProps } from './shared-vnet-mesh.js';
export {
  VirtualNetworkManagerMesh,
  type VirtualNetworkManagerMeshProps,
} from './virtual-network-manager-mesh.js';
export { VnetPeeringMesh, type VnetPeeringMeshProps } from './vnet-peering-mesh.js';
