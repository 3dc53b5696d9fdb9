import { CLUSTER_PRESETS, PROMETHEUS_NODES, type ClusterShape } from '../model/cluster-shape.js';
import { Construct, TerraformLocal, Token, type ITerraformDependable } from './cdk.js';
import { aksArguments, promPoolArguments } from './aks-arguments.js';
import type { IClusterSet } from './cluster-set.js';
import { ClusterNetwork } from './cluster-network.js';
import { attributeOf, literal, stableName, type Expression } from './expressions.js';
import type { IResourceGroup, MeshClusterProps } from './mesh-cluster-props.js';
import type { ClusterFact, IMeshClusters, IMeshVnet, PodNetwork } from './mesh-clusters.js';
import { NetworkContributor } from './network-contributor.js';
import { KubernetesCluster, KubernetesClusterNodePool } from './providers.js';
import { SettledCluster } from './settled-cluster.js';

/**
 * AKS clusters that can be meshed: each with its VNet, a subnet for nodes and one for pods, Azure
 * CNI with the Cilium data plane, ACNS, an identity that may join the VNet, and a pool of one node
 * for Prometheus.
 *
 * One construct describes one cluster or a keyed set, as its `clusters` say; the resources of a set
 * are addressed by role (`azurerm_kubernetes_cluster.mesh["mesh-007"]`), so that growing and
 * shrinking touches only what comes and goes.
 *
 * The trap: creating the pool while Azure still installs ACNS fails in about one run of five. So a
 * {@link SettledCluster} stands between them, and the pool comes when the cluster has come to rest.
 *
 * @example
 * new MeshCluster(this, 'mesh', {
 *   clusters: new ClusterVariable(this, 'clusters'),
 *   resourceGroup,
 *   meshName: 'weekly',
 * });
 */
export class MeshCluster extends Construct implements IMeshClusters {
  readonly clusters: IClusterSet;
  readonly podNetwork: PodNetwork;
  readonly vnets: IMeshVnet;
  readonly complete: readonly ITerraformDependable[];
  /** Machines of each cluster, where the set does not say otherwise. */
  readonly shape: ClusterShape;
  private readonly resourceGroup: IResourceGroup;
  /** The clusters themselves, for what this construct does not offer. */
  readonly aks: KubernetesCluster;

  constructor(scope: Construct, id: string, props: MeshClusterProps) {
    super(scope, id);
    this.clusters = props.clusters;
    this.podNetwork = props.podNetwork ?? 'flat';
    this.resourceGroup = props.resourceGroup;
    this.shape = clusterShape(props);
    const network = new ClusterNetwork(this, 'network', {
      ...props,
      podNetwork: this.podNetwork,
      name: stableName(this),
    });
    this.vnets = network;
    const contributor = new NetworkContributor(this, 'contributor', {
      ...props,
      vnet: network,
      name: stableName(this),
    });
    const given = { props, shape: this.shape, podNetwork: this.podNetwork, network };
    this.aks = new KubernetesCluster(this, 'aks', {
      ...aksArguments({ ...given, identityId: contributor.identityId }),
      // Rights first: with a role given later, Azure puts the cluster into "Updating" once more.
      dependsOn: [contributor.role],
    });
    this.aks.overrideLogicalId(stableName(this));
    const settled = new SettledCluster(this, 'settled', {
      clusters: this.clusters,
      clusterId: (role) => this.clusterId(role),
      ...(props.settleTimeout === undefined ? {} : { timeout: props.settleTimeout }),
      ...(props.handler === undefined ? {} : { handler: props.handler }),
    });
    const pool = new KubernetesClusterNodePool(this, 'prompool', {
      ...promPoolArguments(given, attributeOf(this.aks, 'id', this.clusters.role)),
      dependsOn: [settled.resource],
    });
    pool.overrideLogicalId(stableName(this, 'prompool'));
    this.complete = [pool];
  }

  clusterId(role: Expression): Expression {
    return attributeOf(this.aks, 'id', role);
  }

  region(role: Expression): Expression {
    return this.clusters.fieldOf('location', role) ?? this.commonRegion;
  }

  fact(name: ClusterFact, role: Expression): Expression {
    switch (name) {
      case 'nodes':
        return this.totalNodes(role);
      case 'kubernetes_version':
        return attributeOf(this.aks, 'current_kubernetes_version', role);
    }
  }

  /** The group's region may be a token, which cannot stand inside of another expression. */
  private get commonRegion(): Expression {
    const { location } = this.resourceGroup;
    if (!Token.isUnresolved(location)) return literal(location);
    if (this.node.tryFindChild('region') === undefined) {
      new TerraformLocal(this, 'region', location).overrideLogicalId(stableName(this, 'region'));
    }
    return `local.${stableName(this, 'region')}`;
  }

  private totalNodes(role: Expression): Expression {
    const own = this.clusters.fieldOf('node_count', role);
    return own === undefined
      ? String(this.shape.nodes + PROMETHEUS_NODES)
      : `(${own} + ${PROMETHEUS_NODES})`;
  }
}

function clusterShape(props: MeshClusterProps): ClusterShape {
  const preset = CLUSTER_PRESETS[props.preset ?? 'full'];
  return {
    nodes: props.nodes ?? preset.nodes,
    nodeSize: props.nodeSize ?? preset.nodeSize,
    prometheusSize: props.prometheusSize ?? preset.prometheusSize,
    maxPods: props.maxPods ?? preset.maxPods,
    plannedPodsPerNode: props.plannedPodsPerNode ?? preset.plannedPodsPerNode,
  };
}
