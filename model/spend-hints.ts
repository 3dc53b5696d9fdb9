import { PROMETHEUS_NODES } from './cluster-shape.js';
import type { ResolvedMesh } from './mesh-spec.js';

/**
 * vCPU and price of the sizes that are used by default. Prices are pay as you go, USD per hour,
 * Linux, eastus; as of 2024 from public code tables that agree with each other.
 * @see azure-limits.md §§3, 4
 */
const SIZES: Readonly<Record<string, { readonly vcpu: number; readonly usdPerHour: number }>> = {
  Standard_D2s_v5: { vcpu: 2, usdPerHour: 0.096 },
  Standard_D4s_v5: { vcpu: 4, usdPerHour: 0.192 },
  Standard_D8s_v5: { vcpu: 8, usdPerHour: 0.384 },
};
/** AKS tier Standard, per cluster and hour. */
const CONTROL_PLANE_USD = 0.1;
/** ACNS per node and hour: a placeholder, no published rate was found. */
const ACNS_USD = 0.025;
/** Two load balancers and a public address per cluster and hour. */
const NETWORK_USD = 0.055;
/** What a fresh subscription allows per region. */
const DEFAULT_VCPU_QUOTA = 20;

/** What to ask for before, and about what it costs: sentences for people. */
export function spendHints(mesh: ResolvedMesh): readonly string[] {
  const pools = mesh.clusters.flatMap((cluster) => [
    { size: cluster.nodeSize, nodes: cluster.nodes },
    { size: cluster.prometheusSize, nodes: PROMETHEUS_NODES },
  ]);
  const unknown = [...new Set(pools.map(({ size }) => size))].filter((size) => !(size in SIZES));
  const nodes = pools.reduce((sum, pool) => sum + pool.nodes, 0);
  const vcpu = pools.reduce((sum, { size, nodes: n }) => sum + n * (SIZES[size]?.vcpu ?? 0), 0);
  const machines = pools.reduce(
    (sum, { size, nodes: n }) => sum + n * (SIZES[size]?.usdPerHour ?? 0),
    0,
  );
  const rest = mesh.clusters.length * (CONTROL_PLANE_USD + NETWORK_USD) + nodes * ACNS_USD;
  const without = unknown.length === 0 ? '' : ` (without ${unknown.join(', ')})`;
  return [
    `quota: ${mesh.clusters.length} clusters with ${nodes} nodes need ${vcpu} vCPU${without}; a fresh subscription has ${DEFAULT_VCPU_QUOTA} per region`,
    `cost: about ${(machines + rest).toFixed(0)} USD per hour${without}, disks and traffic not counted; prices of 2024, eastus, the share of ACNS a guess`,
  ];
}
