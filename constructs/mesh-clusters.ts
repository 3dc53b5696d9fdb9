import type { ITerraformDependable } from './cdk.js';
import type { IClusterSet } from './cluster-set.js';
import type { Expression } from './expressions.js';

/** Whether pods have addresses of the network (`flat`) or of their own (`overlay`). */
export type PodNetwork = 'flat' | 'overlay';

/** A VNet, one for all clusters or one for each: looked up by role. */
export interface IMeshVnet {
  /** Bare expression of the resource id. */
  vnetId(role: Expression): Expression;
  /** Bare expression of the name. */
  vnetName(role: Expression): Expression;
  /** Bare expression of the name of its resource group. */
  vnetGroup(role: Expression): Expression;
}

/**
 * AKS clusters that can be joined to a mesh: made here (`MeshCluster`) or brought along
 * (`ExistingClusters`).
 */
export interface IMeshClusters {
  /** Which clusters, and in what they differ. */
  readonly clusters: IClusterSet;
  /** A Fleet mesh works with `flat` only. */
  readonly podNetwork: PodNetwork;
  /** Their VNets. @default - unknown: they are connected by other means */
  readonly vnets?: IMeshVnet;
  /** Resources after which the clusters are complete. */
  readonly complete: readonly ITerraformDependable[];
  /** Bare expression of the resource id of the cluster with `role`. */
  clusterId(role: Expression): Expression;
  /** Bare expression of the region of the cluster with `role`, known when Terraform plans. */
  region(role: Expression): Expression;
  /** Bare expression of the number of nodes, or of another fact for the inventory. */
  fact(name: ClusterFact, role: Expression): Expression;
}

/** What an inventory says of a cluster beside its addresses. */
export type ClusterFact = 'nodes' | 'kubernetes_version';
