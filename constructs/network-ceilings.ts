import { CLUSTER_PRESETS } from '../model/cluster-shape.js';
import {
  NETWORK_CEILINGS,
  podAddressesPerNode,
  type NetworkMode,
} from '../model/network-limits.js';
import type { Expression } from './expressions.js';
import type { IMeshClusters } from './mesh-clusters.js';

/** What the ceilings are computed from. */
export interface CeilingInputs {
  readonly clusters: IMeshClusters;
  /** @default 24 */
  readonly plannedPodsPerNode?: number;
  /** Largest number of clusters, where it differs from the mode's. @default - the mode's */
  readonly mostClusters?: number;
}

/**
 * Has Terraform refuse more clusters than the network of this mode can hold, when it plans and with
 * the arithmetic in the text: the number of clusters is not known before.
 */
export function requireCeilings(mode: NetworkMode, given: CeilingInputs): void {
  const { clusters } = given.clusters;
  const ceiling = NETWORK_CEILINGS[mode];
  const most = given.mostClusters ?? ceiling.clusters;
  const n = clusters.count;
  clusters.require({
    condition: `${n} <= ${most}`,
    message:
      `\${${n}} clusters are more than the network mode ${mode} can hold (${most}): ` +
      `${ceiling.clustersReason}. To mesh more, ${ceiling.instead}. Nothing was changed.`,
  });
  const pods = given.plannedPodsPerNode ?? CLUSTER_PRESETS.full.plannedPodsPerNode;
  const perNode = podAddressesPerNode(pods);
  const nodes = totalNodes(given.clusters);
  const total = `${nodes} * ${1 + perNode} + ${n}`;
  clusters.require({
    condition: `${total} <= ${ceiling.addresses}`,
    message:
      `\${${n}} clusters need \${${total}} private addresses, more than the ${ceiling.addresses} of ` +
      `${ceiling.addressesPer}: \${${nodes}} nodes with 1 address for the node and ${perNode} for ` +
      `${pods} planned pods (batches of 16), and 1 load balancer per cluster. Plan fewer nodes, fewer ` +
      `pods per node (plannedPodsPerNode) or fewer clusters. Nothing was changed.`,
  });
}

/**
 * Nodes of all clusters, the one for Prometheus included. Where they are alike it speaks of the
 * number of clusters only, as the validation of a variable has to.
 */
function totalNodes(clusters: IMeshClusters): Expression {
  const { map, count } = clusters.clusters;
  const nodes = clusters.fact('nodes', 'role');
  return nodes.includes('role')
    ? `sum(concat([0], [for role in keys(${map}) : ${nodes}]))`
    : `${count} * ${nodes}`;
}
