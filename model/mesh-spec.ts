import { z } from 'zod';
import { addressPlan, type ClusterAddresses } from './address-plan.js';
import { clusterRole, MAX_CLUSTERS, type ClusterRole } from './cluster-identity.js';
import { CLUSTER_PRESETS, type ClusterShape } from './cluster-shape.js';
import { NETWORK_MODES, type NetworkMode } from './network-limits.js';
import { strictObject } from './strict-object.js';

/** The version of mesh specs that this program reads. */
export const MESH_SPEC_SCHEMA_VERSION = 1;

/** Azure allows 5,000 nodes in a cluster, 1,000 in a pool. @see AKS quotas, 2026-08 */
const MOST_NODES_IN_POOL = 1_000;

const machines = {
  /** Nodes of the default pool; Azure asks for two in a system pool. */
  nodes: z.int().min(2).max(MOST_NODES_IN_POOL).optional(),
  nodeSize: z.string().min(1).optional(),
  prometheusSize: z.string().min(1).optional(),
  maxPods: z.int().min(30).max(250).optional(),
  plannedPodsPerNode: z.int().min(1).max(250).optional(),
  kubernetesVersion: z
    .string()
    .regex(/^\d+\.\d+(\.\d+)?$/u)
    .optional(),
  region: z.string().min(1).optional(),
};

const cluster = strictObject({
  /** Gives the role `mesh-007` and, unless `addresses` says otherwise, the address ranges. */
  number: z.int().min(1).max(MAX_CLUSTERS),
  ...machines,
  addresses: strictObject({
    vnet: z.string().optional(),
    nodes: z.string().optional(),
    pods: z.string().optional(),
    services: z.string().optional(),
    dnsServiceIp: z.string().optional(),
  }).optional(),
});

/** A mesh whose clusters differ: what `specs/*.yaml` hold, or a value in TypeScript. */
export const meshSpecSchema = strictObject({
  schemaVersion: z.literal(MESH_SPEC_SCHEMA_VERSION),
  name: z.string().regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/u),
  region: z.string().min(1),
  network: z.enum(NETWORK_MODES).optional(),
  /** What clusters have in common. */
  defaults: strictObject(machines).optional(),
  clusters: z.array(cluster).min(1).max(MAX_CLUSTERS),
});

/** A mesh spec as it is written. */
export type MeshSpec = z.infer<typeof meshSpecSchema>;

/** One cluster of a mesh with everything filled in. */
export interface SpecCluster extends ClusterShape {
  readonly role: ClusterRole;
  readonly number: number;
  readonly region: string;
  readonly addresses: ClusterAddresses;
  /** undefined: Azure's default. */
  readonly kubernetesVersion: string | undefined;
}

/** A mesh with everything filled in. */
export interface ResolvedMesh {
  readonly name: string;
  readonly region: string;
  readonly network: NetworkMode;
  /** Sorted by number. */
  readonly clusters: readonly SpecCluster[];
}

/** Fills in the defaults; the spec is to be checked by `checkMeshSpec` as well. */
export function resolveMeshSpec(spec: MeshSpec): ResolvedMesh {
  return {
    name: spec.name,
    region: spec.region,
    network: spec.network ?? 'peering',
    clusters: spec.clusters
      .map((each) => resolveCluster(spec, each))
      .sort((a, b) => a.number - b.number),
  };
}

function resolveCluster(spec: MeshSpec, own: MeshSpec['clusters'][number]): SpecCluster {
  const shape = CLUSTER_PRESETS.full;
  const given = { ...spec.defaults, ...definedIn(own) };
  return {
    role: clusterRole(own.number),
    number: own.number,
    region: given.region ?? spec.region,
    nodes: given.nodes ?? shape.nodes,
    nodeSize: given.nodeSize ?? shape.nodeSize,
    prometheusSize: given.prometheusSize ?? shape.prometheusSize,
    maxPods: given.maxPods ?? shape.maxPods,
    plannedPodsPerNode: given.plannedPodsPerNode ?? shape.plannedPodsPerNode,
    kubernetesVersion: given.kubernetesVersion,
    addresses: { ...addressPlan(own.number), ...definedIn(own.addresses ?? {}) },
  };
}

/** Without keys whose value is undefined, which would hide a default. */
function definedIn<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(
    Object.entries(value).filter(([, each]) => each !== undefined),
  ) as unknown as { [K in keyof T]: Exclude<T[K], undefined> };
}
