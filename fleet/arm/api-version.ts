/**
 * The one version for fleet, members and meshes alike. Newer is not better: stable versions drop
 * cluster meshes, and a member read with one has no mesh. @see fleet-api.md §2
 */
export const FLEET_API_VERSION = '2026-06-02-preview';

/** For reading AKS clusters; stable, any would do. */
export const AKS_API_VERSION = '2025-05-01';
