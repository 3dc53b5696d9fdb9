import { clustersWithoutVnets } from './errors.js';
import type { IMeshClusters, IMeshVnet } from './mesh-clusters.js';

/** The VNets of clusters, for a network construct that has to connect them. */
export function vnetsOf(clusters: IMeshClusters): IMeshVnet {
  if (clusters.vnets === undefined) throw clustersWithoutVnets();
  return clusters.vnets;
}
