/** The machines of one cluster. */
export interface ClusterShape {
  /** Nodes of the default pool, where workloads run. */
  readonly nodes: number;
  /** Azure VM size of the default pool. */
  readonly nodeSize: string;
  /** Azure VM size of the one node for Prometheus. */
  readonly prometheusSize: string;
  /** Most pods that a node accepts; Azure cannot change it later. */
  readonly maxPods: number;
  /** Pods per node that the network is sized for. */
  readonly plannedPodsPerNode: number;
}

/** Named shapes: `full` is what a scale test uses, `small` is for trying things out. */
export type ClusterPreset = 'full' | 'small';

/** Nodes beside the default pool: the one of `prompool`. */
export const PROMETHEUS_NODES = 1;

/**
 * `maxPods` is always set: Azure's default is told as 110 on one page and 250 on another.
 * 24 planned pods are two batches of addresses (32) per node, which lets the modes reach 94
 * (one VNet) and 184 (connected VNets) clusters of 21 nodes.
 */
export const CLUSTER_PRESETS: Readonly<Record<ClusterPreset, ClusterShape>> = {
  full: {
    nodes: 20,
    nodeSize: 'Standard_D4s_v5',
    prometheusSize: 'Standard_D8s_v5',
    maxPods: 110,
    plannedPodsPerNode: 24,
  },
  small: {
    nodes: 2,
    nodeSize: 'Standard_D4s_v5',
    prometheusSize: 'Standard_D8s_v5',
    maxPods: 110,
    plannedPodsPerNode: 24,
  },
};
