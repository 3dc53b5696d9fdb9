/**
 * The one version of Fleet's interface that is spoken everywhere: members' labels and cluster mesh
 * profiles are in this preview, and newer stable versions drop them. @see fleet-api.md §2
 */
export const FLEET_API_VERSION = '2026-06-02-preview';

/** Name of the ClusterMeshProfile that a stack makes. */
export const MESH_PROFILE = 'mesh';
