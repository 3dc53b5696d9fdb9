import {
  Construct,
  TerraformIterator,
  TerraformLocal,
  Token,
  type ITerraformDependable,
} from './cdk.js';
import type { ClusterAttributes } from './cluster-attributes.js';
import type { ClusterField, IClusterSet, PlanCondition } from './cluster-set.js';
import { literal, stableName, template, type Expression } from './expressions.js';
import {
  entriesMap,
  existingEntry,
  LISTED_FIELDS,
  madeEntry,
  type ClusterEntry,
} from './listed-cluster-entries.js';
import type { MeshCluster } from './mesh-cluster.js';
import type { ClusterFact, IMeshClusters, IMeshVnet, PodNetwork } from './mesh-clusters.js';
import { PlanGuard } from './plan-guard.js';

/** What a list is made of. */
interface ClusterList {
  readonly entries: readonly (readonly [Expression, ClusterEntry])[];
  /** Whether the VNets of all are known. */
  readonly vnets: boolean;
  readonly podNetwork: PodNetwork;
  readonly complete: readonly ITerraformDependable[];
}

/**
 * Clusters by name: some that exist (`fromClusterAttributes`), or several `MeshCluster` that each
 * describe one cluster (`fromMeshClusters`). The keys are roles, `mesh-001` …, equally long.
 */
export class ListedClusters extends Construct implements IMeshClusters, IClusterSet {
  /** Clusters that this app did not make; they stay when the mesh goes. */
  static fromClusterAttributes(
    scope: Construct,
    id: string,
    clusters: Readonly<Record<string, ClusterAttributes>>,
  ): ListedClusters {
    const entries = Object.entries(clusters).map(
      ([role, cluster]) => [literal(role), existingEntry(role, cluster)] as const,
    );
    const vnets = Object.values(clusters).every(({ vnet }) => vnet !== undefined);
    return new ListedClusters(scope, id, { entries, vnets, podNetwork: 'flat', complete: [] });
  }

  /** Several single clusters as one set, for network constructs and `FleetMesh`. */
  static fromMeshClusters(
    scope: Construct,
    id: string,
    clusters: readonly MeshCluster[],
  ): ListedClusters {
    return new ListedClusters(scope, id, {
      entries: clusters.map((each) => [each.clusters.role, madeEntry(each)] as const),
      vnets: true,
      podNetwork: clusters.every(({ podNetwork }) => podNetwork === 'flat') ? 'flat' : 'overlay',
      complete: clusters.flatMap(({ complete }) => complete),
    });
  }

  readonly clusters: IClusterSet = this;
  readonly map: Expression;
  readonly count: Expression;
  readonly role: Expression = 'each.key';
  readonly iterator: TerraformIterator;
  readonly podNetwork: PodNetwork;
  readonly complete: readonly ITerraformDependable[];
  readonly vnets?: IMeshVnet;
  private readonly guard: PlanGuard;

  private constructor(scope: Construct, id: string, list: ClusterList) {
    super(scope, id);
    const local = new TerraformLocal(this, 'map', template(entriesMap(list.entries)));
    local.overrideLogicalId(stableName(this));
    this.map = `local.${stableName(this)}`;
    // Not the number itself: Terraform refuses a condition that speaks of nothing.
    this.count = `length(${this.map})`;
    this.iterator = TerraformIterator.fromMap(Token.asAnyMap(local.expression));
    this.podNetwork = list.podNetwork;
    this.complete = list.complete;
    this.guard = new PlanGuard(this, 'guard', stableName(this, 'guard'));
    if (list.vnets) {
      this.vnets = {
        vnetId: (role) => `${this.map}[${role}].vnet_id`,
        vnetName: (role) => `${this.map}[${role}].vnet_name`,
        vnetGroup: (role) => `${this.map}[${role}].vnet_group`,
      };
    }
  }

  field(name: ClusterField): Expression | undefined {
    return LISTED_FIELDS.includes(name) ? `each.value.${name}` : undefined;
  }

  fieldOf(name: ClusterField, role: Expression): Expression | undefined {
    return LISTED_FIELDS.includes(name) ? `${this.map}[${role}].${name}` : undefined;
  }

  require(condition: PlanCondition): void {
    this.guard.require(condition);
  }

  clusterId(role: Expression): Expression {
    return `${this.map}[${role}].cluster_id`;
  }

  region(role: Expression): Expression {
    return `${this.map}[${role}].location`;
  }

  fact(name: ClusterFact, role: Expression): Expression {
    return `${this.map}[${role}].${name === 'nodes' ? 'total_nodes' : name}`;
  }
}
