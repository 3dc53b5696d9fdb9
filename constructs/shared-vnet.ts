import { Construct } from './cdk.js';
import { addressOf, literal, stableName, type Expression } from './expressions.js';
import type { IResourceGroup } from './mesh-cluster-props.js';
import type { IMeshVnet } from './mesh-clusters.js';
import { VirtualNetwork } from './providers.js';

/** A VNet that is there already. */
export interface VnetAttributes {
  readonly vnetId: string;
  readonly vnetName: string;
  readonly resourceGroupName: string;
}

/** How a VNet for all clusters is made. */
export interface SharedVnetProps {
  readonly resourceGroup: IResourceGroup;
  readonly name: string;
  /** Addresses of all clusters. @default '10.0.0.0/8', which holds the plan of 255 clusters */
  readonly addressSpace?: string;
  /** @default - none */
  readonly tags?: Readonly<Record<string, string>>;
}

/** The address plan gives each cluster one second octet of it. */
const ADDRESS_SPACE = '10.0.0.0/8';

/** One VNet in which every cluster has its two subnets: no links are needed between them. */
export class SharedVnet extends Construct implements IMeshVnet {
  /** A VNet that this app did not make; the clusters get their subnets in it. */
  static fromVnetAttributes(attributes: VnetAttributes): IMeshVnet {
    return {
      vnetId: () => literal(attributes.vnetId),
      vnetName: () => literal(attributes.vnetName),
      vnetGroup: () => literal(attributes.resourceGroupName),
    };
  }

  private readonly vnet: VirtualNetwork;

  constructor(scope: Construct, id: string, props: SharedVnetProps) {
    super(scope, id);
    this.vnet = new VirtualNetwork(this, 'vnet', {
      name: props.name,
      location: props.resourceGroup.location,
      resourceGroupName: props.resourceGroup.name,
      addressSpace: [props.addressSpace ?? ADDRESS_SPACE],
      tags: { ...props.tags },
    });
    this.vnet.overrideLogicalId(stableName(this));
  }

  vnetId(): Expression {
    return `${addressOf(this.vnet)}.id`;
  }

  vnetName(): Expression {
    return `${addressOf(this.vnet)}.name`;
  }

  vnetGroup(): Expression {
    return `${addressOf(this.vnet)}.resource_group_name`;
  }
}
