import type { ClusterPreset } from '../model/cluster-shape.js';
import type { IClusterSet } from './cluster-set.js';
import type { FleetHandler } from './fleet-handler.js';
import type { IMeshVnet, PodNetwork } from './mesh-clusters.js';

/** A resource group, made here or not: what clusters need to know of it. */
export interface IResourceGroup {
  /** Name, or a token for it. */
  readonly name: string;
  /** Azure region, or a token for it. */
  readonly location: string;
}

/** How `MeshCluster` builds its clusters. */
export interface MeshClusterProps {
  /** Which clusters: a `ClusterVariable`, a `ClusterSpec`, or `oneCluster(…)`. */
  readonly clusters: IClusterSet;
  /** Where everything is put. */
  readonly resourceGroup: IResourceGroup;
  /** Name of the mesh: the tag `meshscale`, by which its clusters are discovered. */
  readonly meshName: string;
  /** VNet for the subnets. @default - each cluster gets a VNet of its own */
  readonly vnet?: IMeshVnet;
  /** Whether pods get addresses of the network; a Fleet mesh needs that. @default 'flat' */
  readonly podNetwork?: PodNetwork;
  /** The machines, where the props below and the set say nothing. @default 'full' (20 × D4s_v5) */
  readonly preset?: ClusterPreset;
  /** Nodes of the default pool. @default - the preset's */
  readonly nodes?: number;
  /** VM size of the default pool. @default - the preset's */
  readonly nodeSize?: string;
  /** VM size of the node for Prometheus. @default - the preset's */
  readonly prometheusSize?: string;
  /** Most pods on a node; cannot be changed later. @default 110 */
  readonly maxPods?: number;
  /** Pods per node that the ceilings of the network are checked with. @default 24 */
  readonly plannedPodsPerNode?: number;
  /** Kubernetes version; Fleet's mesh needs 1.32 or later. @default - Azure's default */
  readonly kubernetesVersion?: string;
  /** When the clusters may be deleted by whoever cleans up (RFC 3339). @default - no such tag */
  readonly deletionDueTime?: string;
  /** Further tags. @default - none */
  readonly tags?: Readonly<Record<string, string>>;
  /** Most time to wait until a cluster and its add-ons are settled, such as `30m`. @default '30m' */
  readonly settleTimeout?: string;
  /** The program that waits for that. @default - the one of this package */
  readonly handler?: FleetHandler;
}
