/**
 * Values that the parts of meshscale agree on: the public door of this folder, never imported from
 * inside of it.
 *
 * @packageDocumentation
 */
export { addressPlan, type ClusterAddresses } from './address-plan.js';
export { checkMeshSpec, type CheckedMesh, type GoodMesh } from './check-mesh-spec.js';
export { clusterRole, clusterRoles, MAX_CLUSTERS } from './cluster-identity.js';
export type { ClusterPreset, ClusterShape } from './cluster-shape.js';
export { inventorySchema, type Inventory, type InventoryCluster } from './inventory.js';
export { meshSpecSchema, resolveMeshSpec, type MeshSpec, type SpecCluster } from './mesh-spec.js';
export { NETWORK_CEILINGS, NETWORK_MODES, type NetworkMode } from './network-limits.js';
export type { PlaceOf } from './spec-place.js';
export { UserError, UserErrors, userErrorsOf, type ErrorPlace } from './user-error.js';
