import { clusterNumber } from '../model/cluster-identity.js';
import type { ClusterAttributes } from './cluster-attributes.js';
import type { ClusterField } from './cluster-set.js';
import { literal, type Expression } from './expressions.js';

import type { MeshCluster } from './mesh-cluster.js';

/** Bare expressions of everything that is known of one cluster, by name. */
export type ClusterEntry = Readonly<Record<string, Expression>>;

/** The fields of a set that every entry has. */
export const LISTED_FIELDS: readonly ClusterField[] = [
  'number',
  'nodes',
  'pods',
  'services',
  'location',
];

/** The entry of a cluster that exists. */
export function existingEntry(role: string, cluster: ClusterAttributes): ClusterEntry {
  const { vnet } = cluster;
  return {
    number: String(clusterNumber(role) ?? 0),
    cluster_id: literal(cluster.clusterId),
    location: literal(cluster.region),
    total_nodes: String(cluster.nodes),
    nodes: literal(cluster.nodeCidr),
    pods: literal(cluster.podCidr),
    services: literal(cluster.serviceCidr),
    kubernetes_version: literal(cluster.kubernetesVersion),
    ...(vnet === undefined
      ? {}
      : {
          vnet_id: literal(vnet.vnetId),
          vnet_name: literal(vnet.vnetName),
          vnet_group: literal(vnet.resourceGroupName),
        }),
  };
}

/** The entry of a cluster that is made in the same stack. */
export function madeEntry(mesh: MeshCluster): ClusterEntry {
  const { clusters, vnets } = mesh;
  const { role } = clusters;
  const field = (name: ClusterField) => clusters.fieldOf(name, role) ?? 'null';
  return {
    number: field('number'),
    cluster_id: mesh.clusterId(role),
    location: mesh.region(role),
    total_nodes: mesh.fact('nodes', role),
    nodes: field('nodes'),
    pods: field('pods'),
    services: field('services'),
    kubernetes_version: mesh.fact('kubernetes_version', role),
    vnet_id: vnets.vnetId(role),
    vnet_name: vnets.vnetName(role),
    vnet_group: vnets.vnetGroup(role),
  };
}

/** A Terraform map of entries, keyed by roles given as bare expressions. */
export function entriesMap(entries: readonly (readonly [Expression, ClusterEntry])[]): Expression {
  const texts = entries.map(([role, entry]) => {
    const fields = Object.entries(entry).map(([name, value]) => `${name} = ${value}`);
    return `(${role}) = { ${fields.join(', ')} }`;
  });
  return `{ ${texts.join(', ')} }`;
}
