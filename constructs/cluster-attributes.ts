/** An AKS cluster that is there already. */
export interface ClusterAttributes {
  /** Resource id of the AKS cluster: Azure CNI with Cilium and a pod subnet, ACNS enabled. */
  readonly clusterId: string;
  /** Azure region. */
  readonly region: string;
  /** Nodes, for the inventory and the ceilings of the network. */
  readonly nodes: number;
  /** Ranges of nodes, pods and services, for the inventory. */
  readonly nodeCidr: string;
  readonly podCidr: string;
  readonly serviceCidr: string;
  readonly kubernetesVersion: string;
  /** Its VNet. @default - unknown; the clusters cannot be connected by the constructs here */
  readonly vnet?: {
    readonly vnetId: string;
    readonly vnetName: string;
    readonly resourceGroupName: string;
  };
}
