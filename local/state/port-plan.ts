import { clusterRoles, directedPairs, pairName } from '../../model/cluster-identity.js';
import { findFreePorts } from '../../workload/platform/ports.js';
import type { Random } from '../../workload/platform/random.js';
import { portsShort } from './errors.js';
import type { MeshPorts } from './mesh-file.js';
import { MESH_ROLE } from './paths.js';

/** What one cluster listens for. */
export const CLUSTER_PORTS = [
  'etcd-client',
  'etcd-peer',
  'etcd-metrics',
  'mesh-etcd-client',
  'mesh-etcd-peer',
  'mesh-etcd-metrics',
  'apiserver',
  'controller-manager',
  'scheduler',
  'kwok',
  'agent-controller',
  'exporter-metrics',
  'exporter-health',
  'exporter-gops',
  'kvstoremesh-metrics',
  'kvstoremesh-health',
  'kvstoremesh-api',
] as const;

/** What the mesh as a whole listens for, beside one port per directed link. */
const SHARED_PORTS = ['prometheus', 'relay'] as const;

/** The purpose of a cluster's port. */
export type ClusterPort = (typeof CLUSTER_PORTS)[number];

/**
 * The ports of a mesh of `clusters`: those in `known` stay, missing ones are found, those of removed
 * clusters are dropped.
 */
export async function planPorts(
  clusters: number,
  known: MeshPorts,
  random: Random,
): Promise<MeshPorts> {
  const wanted = wantedPorts(clusters);
  const missing = wanted.filter(({ role, purpose }) => known[role]?.[purpose] === undefined);
  const taken = new Set(Object.values(known).flatMap((ports) => Object.values(ports)));
  const found = await findFreePorts(missing.length, random, taken);
  if (found.state === 'short') throw portsShort(missing.length, found.found);
  const fresh = new Map(
    missing.map(({ role, purpose }, index) => [`${role} ${purpose}`, found.ports[index]]),
  );
  const plan: Record<string, Record<string, number>> = {};
  for (const { role, purpose } of wanted) {
    const port = known[role]?.[purpose] ?? fresh.get(`${role} ${purpose}`);
    if (port !== undefined) (plan[role] ??= {})[purpose] = port;
  }
  return plan;
}

/** How many ports a mesh of `clusters` takes: 38 for 2, 107 for 5. */
export function portsNeeded(clusters: number): number {
  return wantedPorts(clusters).length;
}

/** The port of one purpose; a gap in the plan is a defect of ours. */
export function portOf(ports: MeshPorts, role: string, purpose: string): number {
  const port = ports[role]?.[purpose];
  if (port === undefined) throw new Error(`no port is planned for ${role} ${purpose}`);
  return port;
}

function wantedPorts(clusters: number): readonly { role: string; purpose: string }[] {
  const roles = clusterRoles(clusters);
  return [
    ...SHARED_PORTS.map((purpose) => ({ role: MESH_ROLE, purpose })),
    ...directedPairs(roles).map((pair) => ({ role: MESH_ROLE, purpose: pairName(pair) })),
    ...roles.flatMap((role) => CLUSTER_PORTS.map((purpose) => ({ role, purpose }))),
  ];
}
