import { checkMeshSpec, type GoodMesh } from '../model/check-mesh-spec.js';
import type { MeshSpec, SpecCluster } from '../model/mesh-spec.js';
import { spendHints } from '../model/spend-hints.js';
import type { PlaceOf } from '../model/spec-place.js';
import { throwRefusal } from '../model/user-error.js';
import { Annotations, Construct, TerraformIterator, TerraformLocal, Token } from './cdk.js';
import type { ClusterField, IClusterSet, PlanCondition } from './cluster-set.js';
import { stableName, type Expression } from './expressions.js';
import { PlanGuard } from './plan-guard.js';

/** Which clusters. */
export interface ClusterSpecProps {
  /** The mesh; checked here, all problems at once. */
  readonly spec: MeshSpec;
  /** Turns paths of the spec into lines of the file it came from. @default - paths */
  readonly placeOf?: PlaceOf;
  /** What checking this very spec gave. @default - it is checked here */
  readonly checked?: GoodMesh;
}

/**
 * Clusters that differ, from a typed spec: still one keyed set of resources over one map, so that a
 * mesh of 255 unlike clusters synthesizes in seconds and adding one touches no other.
 */
export class ClusterSpec extends Construct implements IClusterSet {
  readonly map: Expression = 'local.clusters';
  readonly count: Expression;
  readonly role: Expression = 'each.key';
  readonly iterator: TerraformIterator;
  private readonly guard: PlanGuard;

  constructor(scope: Construct, id: string, props: ClusterSpecProps) {
    super(scope, id);
    const checked = props.checked ?? checkMeshSpec(props.spec, props.placeOf);
    if (!checked.ok) throwRefusal(checked.errors, 'the spec');
    const { mesh, warnings } = checked;
    for (const warning of warnings) Annotations.of(this).addWarning(warning);
    for (const hint of spendHints(mesh)) Annotations.of(this).addInfo(hint);
    // Not the number itself: Terraform refuses a condition that speaks of nothing.
    this.count = `length(${this.map})`;
    const entries = mesh.clusters.map((cluster) => [cluster.role, entryOf(cluster)] as const);
    const map = new TerraformLocal(this, 'map', Object.fromEntries(entries));
    map.overrideLogicalId('clusters');
    this.iterator = TerraformIterator.fromMap(Token.asAnyMap(map.expression));
    this.guard = new PlanGuard(this, 'guard', stableName(this, 'guard'));
  }

  field(name: ClusterField): Expression {
    return `each.value.${name}`;
  }

  fieldOf(name: ClusterField, role: Expression): Expression {
    return `${this.map}[${role}].${name}`;
  }

  require(condition: PlanCondition): void {
    this.guard.require(condition);
  }
}

/** null means Azure's default; all entries have the same keys, as Terraform wants of a map. */
function entryOf(cluster: SpecCluster): Readonly<Record<ClusterField, string | number | null>> {
  const { addresses } = cluster;
  return {
    number: cluster.number,
    location: cluster.region,
    vnet: addresses.vnet,
    nodes: addresses.nodes,
    pods: addresses.pods,
    services: addresses.services,
    dns_service_ip: addresses.dnsServiceIp,
    node_count: cluster.nodes,
    node_size: cluster.nodeSize,
    prometheus_size: cluster.prometheusSize,
    max_pods: cluster.maxPods,
    kubernetes_version: cluster.kubernetesVersion ?? null,
  };
}
