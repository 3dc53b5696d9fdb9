/** How the networks of the clusters reach each other. Fixed at synth, never derived from N. */
export type NetworkMode = 'peering' | 'shared-vnet' | 'virtual-network-manager';

/** All modes, the default first. */
export const NETWORK_MODES = ['peering', 'shared-vnet', 'virtual-network-manager'] as const;

/** What bounds the number of clusters in one mode. */
export interface NetworkCeiling {
  /** Largest number of clusters, whatever their size. */
  readonly clusters: number;
  /** Why not more, for the message that refuses more. */
  readonly clustersReason: string;
  /** What to do instead. */
  readonly instead: string;
  /** Private addresses in use that Azure allows in the VNet, or over all connected ones. */
  readonly addresses: number;
  /** What the addresses are counted over. */
  readonly addressesPer: string;
}

/** @see azure "Subscription and service limits" (networking), 2026-08, and "AVNM limitations", 2026-09 */
export const NETWORK_CEILINGS: Readonly<Record<NetworkMode, NetworkCeiling>> = {
  peering: {
    // Measured: N(N-1) peering resources cost Terraform itself about N^4; 20 clusters take seconds,
    // 50 minutes, 100 were given up after ten minutes of planning.
    clusters: 40,
    clustersReason: "Terraform's own time on N*(N-1) peerings grows like N^4",
    instead: 'use the network mode shared-vnet or virtual-network-manager',
    addresses: 128_000,
    addressesPer: 'a group of peered VNets',
  },
  'shared-vnet': {
    clusters: 255,
    clustersReason: 'a mesh has at most 255 clusters',
    instead: 'plan fewer pods per node, or fewer nodes',
    addresses: 65_536,
    addressesPer: 'a VNet',
  },
  'virtual-network-manager': {
    clusters: 250,
    clustersReason: 'a connected group holds 250 VNets',
    instead: 'use the network mode shared-vnet, or fewer clusters',
    addresses: 128_000,
    addressesPer: 'a connected group',
  },
};

/** Azure CNI takes addresses for pods in batches of this many. @see AKS "Pod subnet", 2024-05 */
const POD_ADDRESS_BATCH = 16;
/** … and takes the next batch when fewer than this many are free. */
const POD_ADDRESS_RESERVE = 8;
/** The internal load balancer of clustermesh-apiserver takes one address of the node subnet. */
const LOAD_BALANCER_ADDRESSES = 1;

/** Addresses that a node takes from the pod subnet for this many pods with an address of their own. */
export function podAddressesPerNode(pods: number): number {
  return POD_ADDRESS_BATCH * Math.ceil((pods + POD_ADDRESS_RESERVE) / POD_ADDRESS_BATCH);
}

/** All private addresses of a cluster: one per node, those of its pods, and its load balancer's. */
export function addressesPerCluster(nodes: number, podsPerNode: number): number {
  return nodes * (1 + podAddressesPerNode(podsPerNode)) + LOAD_BALANCER_ADDRESSES;
}
