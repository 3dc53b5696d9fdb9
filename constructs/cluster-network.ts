import { Construct } from './cdk.js';
import type { ClusterField, IClusterSet } from './cluster-set.js';
import { clusterTags, fieldOr, keyed } from './cluster-arguments.js';
import { attributeOf, template, type Expression } from './expressions.js';
import type { IResourceGroup } from './mesh-cluster-props.js';
import type { IMeshVnet, PodNetwork } from './mesh-clusters.js';
import { Subnet, VirtualNetwork } from './providers.js';

/** How the network of clusters is made. */
export interface ClusterNetworkProps {
  readonly clusters: IClusterSet;
  readonly resourceGroup: IResourceGroup;
  readonly meshName: string;
  readonly podNetwork: PodNetwork;
  /** Terraform name that the resources begin with. */
  readonly name: string;
  /** VNet that exists. @default - one is made for each cluster */
  readonly vnet?: IMeshVnet;
  readonly deletionDueTime?: string;
  readonly tags?: Readonly<Record<string, string>>;
}

/**
 * VNet, node subnet and pod subnet of each cluster. The pod subnet is delegated to AKS: where it is
 * not, Azure adds the delegation itself and Terraform sees a change that nobody made.
 */
export class ClusterNetwork extends Construct implements IMeshVnet {
  private readonly vnet: IMeshVnet;
  private readonly nodes: Subnet;
  private readonly pods: Subnet | undefined;

  constructor(scope: Construct, id: string, props: ClusterNetworkProps) {
    super(scope, id);
    this.vnet = props.vnet ?? ownVnets(this, props);
    this.nodes = this.subnet('nodes', props);
    this.pods = props.podNetwork === 'flat' ? this.subnet('pods', props) : undefined;
  }

  /** Bare expression of the id of the node subnet. */
  nodeSubnetId(role: Expression): Expression {
    return attributeOf(this.nodes, 'id', role);
  }

  /** Bare expression of the id of the pod subnet; undefined with an overlay. */
  podSubnetId(role: Expression): Expression | undefined {
    return this.pods === undefined ? undefined : attributeOf(this.pods, 'id', role);
  }

  vnetId(role: Expression): Expression {
    return this.vnet.vnetId(role);
  }

  vnetName(role: Expression): Expression {
    return this.vnet.vnetName(role);
  }

  vnetGroup(role: Expression): Expression {
    return this.vnet.vnetGroup(role);
  }

  private subnet(part: 'nodes' | 'pods', props: ClusterNetworkProps): Subnet {
    const { clusters } = props;
    const subnet = new Subnet(this, part, {
      ...keyed(clusters),
      // The role in the name: in a shared VNet the subnets of all clusters lie side by side.
      name: `${template(clusters.role)}-${part}`,
      resourceGroupName: template(this.vnetGroup(clusters.role)),
      virtualNetworkName: template(this.vnetName(clusters.role)),
      addressPrefixes: [template(range(clusters, part))],
      ...(part === 'pods' ? { delegation: [AKS_DELEGATION] } : {}),
    });
    subnet.overrideLogicalId(`${props.name}_${part}`);
    return subnet;
  }
}

/** @see AKS "Azure CNI pod subnet", 2024-05 */
const AKS_DELEGATION = {
  name: 'aks',
  serviceDelegation: {
    name: 'Microsoft.ContainerService/managedClusters',
    actions: ['Microsoft.Network/virtualNetworks/subnets/join/action'],
  },
};

function ownVnets(scope: Construct, props: ClusterNetworkProps): IMeshVnet {
  const { clusters, resourceGroup } = props;
  const vnet = new VirtualNetwork(scope, 'vnet', {
    ...keyed(clusters),
    name: template(clusters.role),
    location: fieldOr(clusters, 'location', resourceGroup.location),
    resourceGroupName: resourceGroup.name,
    addressSpace: [template(range(clusters, 'vnet'))],
    tags: clusterTags(props),
  });
  vnet.overrideLogicalId(props.name);
  return {
    vnetId: (role) => attributeOf(vnet, 'id', role),
    vnetName: (role) => attributeOf(vnet, 'name', role),
    vnetGroup: (role) => attributeOf(vnet, 'resource_group_name', role),
  };
}

/** Every set has the addresses. */
function range(clusters: IClusterSet, field: ClusterField): Expression {
  const found = clusters.field(field);
  if (found === undefined) throw new Error(`the set of clusters has no field ${field}`);
  return found;
}
