import { Construct, Fn, TerraformIterator, Token, type ITerraformDependable } from './cdk.js';
import { keyed } from './cluster-arguments.js';
import { MAX_CLUSTERS } from '../model/cluster-identity.js';
import {
  addressOf,
  attributeOf,
  literal,
  stableName,
  template,
  type Expression,
} from './expressions.js';
import type { IResourceGroup } from './mesh-cluster-props.js';
import type { IMeshClusters } from './mesh-clusters.js';
import type { IMeshNetwork } from './mesh-network.js';
import { requireCeilings } from './network-ceilings.js';
import {
  NetworkManager,
  NetworkManagerConnectivityConfiguration,
  NetworkManagerDeployment,
  NetworkManagerNetworkGroup,
  NetworkManagerStaticMember,
} from './providers.js';
import { vnetsOf } from './vnets-of.js';

/** What is connected, and by which manager. */
export interface VirtualNetworkManagerMeshProps {
  /** Clusters with a VNet each. */
  readonly clusters: IMeshClusters;
  readonly resourceGroup: IResourceGroup & { readonly id: string };
  /** Name of the mesh; names everything here. */
  readonly meshName: string;
  /** A manager that exists: Azure allows one per scope and feature. @default - one is made */
  readonly networkManagerId?: string;
  /** Pods per node that the ceiling of addresses is checked with. @default 24 */
  readonly plannedPodsPerNode?: number;
  /**
   * Says that Azure raised the limit of 250 VNets in a connected group: the preview feature
   * `AllowHighScaleConnectedGroup` is registered and the form was granted. @default false
   */
  readonly highScaleConnectedGroup?: boolean;
}

/**
 * Connects the VNets by the mesh topology of Azure Virtual Network Manager: one membership per
 * cluster instead of N·(N−1) peerings, for up to 250 clusters.
 *
 * Not tried with Fleet on Azure: Fleet's documentation asks for "a VNet or several peered VNets" and
 * does not name connected groups. Keep a probe between the clusters.
 */
export class VirtualNetworkManagerMesh extends Construct implements IMeshNetwork {
  readonly mode = 'virtual-network-manager';
  readonly connected: readonly ITerraformDependable[];
  private readonly name: string;

  constructor(scope: Construct, id: string, props: VirtualNetworkManagerMeshProps) {
    super(scope, id);
    this.name = stableName(this);
    requireCeilings(this.mode, {
      ...props,
      ...(props.highScaleConnectedGroup === true ? { mostClusters: MAX_CLUSTERS } : {}),
    });
    const manager =
      props.networkManagerId === undefined ? this.manager(props) : literal(props.networkManagerId);
    const group = new NetworkManagerNetworkGroup(this, 'group', {
      name: props.meshName,
      networkManagerId: template(manager),
    });
    group.overrideLogicalId(this.name);
    const members = this.members(props, group);
    const configuration = this.configuration(props, manager, group);
    this.connected = [this.deployment(props, manager, configuration, members)];
  }

  /** `Connectivity` is optional for the provider, but without it a deployment may not act. */
  private manager(props: VirtualNetworkManagerMeshProps): Expression {
    const { resourceGroup } = props;
    const manager = new NetworkManager(this, 'manager', {
      name: props.meshName,
      location: resourceGroup.location,
      resourceGroupName: resourceGroup.name,
      scope: {
        subscriptionIds: [Token.asString(Fn.regex('^/subscriptions/[^/]+', resourceGroup.id))],
      },
      scopeAccesses: ['Connectivity'],
    });
    manager.overrideLogicalId(this.name);
    return `${addressOf(manager)}.id`;
  }

  private members(
    props: VirtualNetworkManagerMeshProps,
    group: NetworkManagerNetworkGroup,
  ): NetworkManagerStaticMember {
    const { clusters } = props.clusters;
    const members = new NetworkManagerStaticMember(this, 'member', {
      ...keyed(clusters),
      name: template(clusters.role),
      networkGroupId: template(`${addressOf(group)}.id`),
      targetVirtualNetworkId: template(vnetsOf(props.clusters).vnetId(clusters.role)),
    });
    members.overrideLogicalId(this.name);
    return members;
  }

  private configuration(
    props: VirtualNetworkManagerMeshProps,
    manager: Expression,
    group: NetworkManagerNetworkGroup,
  ): NetworkManagerConnectivityConfiguration {
    const configuration = new NetworkManagerConnectivityConfiguration(this, 'configuration', {
      name: props.meshName,
      networkManagerId: template(manager),
      connectivityTopology: TOPOLOGY,
      // Peerings that others made between these VNets stay.
      deleteExistingPeeringEnabled: false,
      globalMeshEnabled: Token.asAny(template(`length(${regionsOf(props.clusters)}) > 1`)),
      appliesToGroup: [
        { groupConnectivity: 'None', networkGroupId: template(`${addressOf(group)}.id`) },
      ],
    });
    configuration.overrideLogicalId(this.name);
    return configuration;
  }

  /** A changed configuration keeps its id, so without triggers nothing would be committed. */
  private deployment(
    props: VirtualNetworkManagerMeshProps,
    manager: Expression,
    configuration: NetworkManagerConnectivityConfiguration,
    members: NetworkManagerStaticMember,
  ): NetworkManagerDeployment {
    const { map } = props.clusters.clusters;
    const ids = `[for role in keys(${map}) : ${attributeOf(members, 'id', 'role')}]`;
    const regions = `{ for region in ${regionsOf(props.clusters)} : region => region }`;
    const deployment = new NetworkManagerDeployment(this, 'deployment', {
      forEach: TerraformIterator.fromMap(Token.asAnyMap(template(regions))),
      networkManagerId: template(manager),
      location: template('each.key'),
      scopeAccess: 'Connectivity',
      configurationIds: [template(`${addressOf(configuration)}.id`)],
      triggers: {
        configuration: template(
          `sha1(jsonencode([${literal(TOPOLOGY)}, length(${regionsOf(props.clusters)}) > 1]))`,
        ),
        members: template(`sha1(join(",", ${ids}))`),
      },
      timeouts: DEPLOYMENT_TIMEOUTS,
      dependsOn: [members],
    });
    deployment.overrideLogicalId(this.name);
    return deployment;
  }
}

const TOPOLOGY = 'Mesh';
/** The provider's own are 24 hours; a commit takes minutes. */
const DEPLOYMENT_TIMEOUTS = { create: '60m', update: '60m', delete: '60m' };

/** Bare expression of the list of regions; a deployment is made per region. Known when planning. */
function regionsOf(clusters: IMeshClusters): Expression {
  const { map } = clusters.clusters;
  return `distinct([for role in keys(${map}) : ${clusters.region('role')}])`;
}
