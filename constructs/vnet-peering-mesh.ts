import { Construct, TerraformIterator, TerraformLocal, Token } from './cdk.js';
import type { ITerraformDependable } from './cdk.js';
import { stableName, template, type Expression } from './expressions.js';
import type { IMeshClusters, IMeshVnet } from './mesh-clusters.js';
import type { IMeshNetwork } from './mesh-network.js';
import { requireCeilings } from './network-ceilings.js';
import { VirtualNetworkPeering } from './providers.js';
import { vnetsOf } from './vnets-of.js';

/** What is peered. */
export interface VnetPeeringMeshProps {
  /** Clusters with a VNet each. */
  readonly clusters: IMeshClusters;
  /** Pods per node that the ceiling of addresses is checked with. @default 24 */
  readonly plannedPodsPerNode?: number;
}

/**
 * Peers every VNet with every other one, in both directions: N·(N−1) peerings, with the keys
 * `mesh-001--mesh-002`, source first.
 *
 * For up to 40 clusters: Terraform's own time on this many resources grows like N⁴ (20 clusters
 * take seconds, 100 did not finish planning). Above, use `SharedVnet` or
 * `VirtualNetworkManagerMesh`; choose it before the first deploy, as a change rebuilds the network.
 */
export class VnetPeeringMesh extends Construct implements IMeshNetwork {
  readonly mode = 'peering';
  readonly connected: readonly ITerraformDependable[];

  constructor(scope: Construct, id: string, props: VnetPeeringMeshProps) {
    super(scope, id);
    const { clusters } = props.clusters;
    requireCeilings(this.mode, props);
    const pairs = new TerraformLocal(this, 'pairs', template(pairsOf(clusters.map, props)));
    pairs.overrideLogicalId(stableName(this, 'pairs'));
    const peering = new VirtualNetworkPeering(this, 'peering', {
      forEach: TerraformIterator.fromMap(Token.asAnyMap(pairs.expression)),
      name: template('each.key'),
      resourceGroupName: template('each.value.group'),
      virtualNetworkName: template('each.value.vnet'),
      remoteVirtualNetworkId: template('each.value.remote'),
      allowVirtualNetworkAccess: true,
    });
    peering.overrideLogicalId(stableName(this));
    this.connected = [peering];
  }
}

/** References to the VNets stand in the map itself: of the spellings tried, the cheapest for Terraform. */
function pairsOf(map: Expression, props: VnetPeeringMeshProps): Expression {
  const vnets: IMeshVnet = vnetsOf(props.clusters);
  return (
    `{ for p in setproduct(keys(${map}), keys(${map})) : "\${p[0]}--\${p[1]}" => {` +
    ` group = ${vnets.vnetGroup('p[0]')}, vnet = ${vnets.vnetName('p[0]')},` +
    ` remote = ${vnets.vnetId('p[1]')} } if p[0] != p[1] }`
  );
}
