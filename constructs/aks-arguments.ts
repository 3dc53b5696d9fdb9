import type { ClusterShape } from '../model/cluster-shape.js';
import { Token } from './cdk.js';
import { clusterTags, fieldOr, keyed } from './cluster-arguments.js';
import type { ClusterNetwork } from './cluster-network.js';
import type { ClusterField, IClusterSet } from './cluster-set.js';
import { template, type Expression } from './expressions.js';
import type { MeshClusterProps } from './mesh-cluster-props.js';
import type { PodNetwork } from './mesh-clusters.js';
import type { KubernetesClusterConfig, KubernetesClusterNetworkProfile } from './providers.js';
import type { KubernetesClusterNodePoolConfig } from './providers.js';

/** What the arguments are made of. */
export interface AksInputs {
  readonly props: MeshClusterProps;
  readonly shape: ClusterShape;
  readonly podNetwork: PodNetwork;
  readonly network: ClusterNetwork;
}

/** Azure's own default, written out so that a plan shows no difference. */
const MAX_SURGE = '10%';

/**
 * Arguments of `azurerm_kubernetes_cluster`. No automatic upgrades, neither of Kubernetes nor of the
 * nodes' image: nodes that are rolled in the middle of a run spoil it.
 */
export function aksArguments(
  given: AksInputs & { readonly identityId: Expression },
): KubernetesClusterConfig {
  const { props, shape, network } = given;
  const { clusters, resourceGroup } = props;
  const version = fieldOr(clusters, 'kubernetes_version', props.kubernetesVersion);
  return {
    ...keyed(clusters),
    name: template(clusters.role),
    dnsPrefix: template(clusters.role),
    location: fieldOr(clusters, 'location', resourceGroup.location),
    resourceGroupName: resourceGroup.name,
    skuTier: 'Standard',
    nodeOsUpgradeChannel: 'None',
    ...(version === undefined ? {} : { kubernetesVersion: version }),
    identity: { type: 'UserAssigned', identityIds: [template(given.identityId)] },
    defaultNodePool: {
      name: 'default',
      nodeCount: count(clusters, 'node_count', shape.nodes),
      vmSize: fieldOr(clusters, 'node_size', shape.nodeSize),
      ...poolNetwork(clusters, shape, network),
      upgradeSettings: { maxSurge: MAX_SURGE },
    },
    networkProfile: networkProfile(given),
    tags: clusterTags(props),
  };
}

/** Arguments of the pool of one node for Prometheus, which scrapes without disturbing workloads. */
export function promPoolArguments(
  given: AksInputs,
  clusterId: Expression,
): KubernetesClusterNodePoolConfig {
  const { props, shape, network } = given;
  return {
    ...keyed(props.clusters),
    name: 'prompool',
    kubernetesClusterId: template(clusterId),
    mode: 'User',
    nodeCount: 1,
    vmSize: fieldOr(props.clusters, 'prometheus_size', shape.prometheusSize),
    nodeLabels: { prometheus: 'true' },
    ...poolNetwork(props.clusters, shape, network),
    upgradeSettings: { maxSurge: MAX_SURGE },
    tags: clusterTags(props),
  };
}

/** ACNS (`advancedNetworking`) is what Fleet manages Cilium's mesh with. */
function networkProfile(given: AksInputs): KubernetesClusterNetworkProfile {
  const { clusters } = given.props;
  return {
    networkPlugin: 'azure',
    ...(given.podNetwork === 'flat'
      ? {}
      : { networkPluginMode: 'overlay', podCidr: fieldOr(clusters, 'pods', '') }),
    networkDataPlane: 'cilium',
    networkPolicy: 'cilium',
    advancedNetworking: { observabilityEnabled: true, securityEnabled: true },
    loadBalancerSku: 'standard',
    serviceCidr: fieldOr(clusters, 'services', ''),
    dnsServiceIp: fieldOr(clusters, 'dns_service_ip', ''),
  };
}

function poolNetwork(clusters: IClusterSet, shape: ClusterShape, network: ClusterNetwork) {
  const pods = network.podSubnetId(clusters.role);
  return {
    maxPods: count(clusters, 'max_pods', shape.maxPods),
    vnetSubnetId: template(network.nodeSubnetId(clusters.role)),
    ...(pods === undefined ? {} : { podSubnetId: template(pods) }),
  };
}

function count(clusters: IClusterSet, name: ClusterField, common: number): number {
  const own = clusters.field(name);
  return own === undefined ? common : Token.asNumber(template(own));
}
