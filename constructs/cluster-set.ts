import type { Expression } from './expressions.js';
import type { TerraformIterator } from './cdk.js';

/**
 * What may differ from cluster to cluster, with the names that stand in the Terraform map. Every set
 * has the first six; the others come from the props of `MeshCluster` where a set lacks them.
 */
export type ClusterField =
  | 'number'
  | 'vnet'
  | 'nodes'
  | 'pods'
  | 'services'
  | 'dns_service_ip'
  | 'location'
  | 'node_count'
  | 'node_size'
  | 'prometheus_size'
  | 'max_pods'
  | 'kubernetes_version';

/** A condition that Terraform checks when it plans. */
export interface PlanCondition {
  /** Bare expression of `count` and constants, or of the set's map; false refuses the plan. */
  readonly condition: Expression;
  /** Text of the refusal; may hold templates `${…}`. */
  readonly message: string;
}

/**
 * Which clusters there are and in what they differ: the one thing that distinguishes a mesh sized by
 * a Terraform variable, one written out in a spec, and a single cluster. Every construct takes this
 * interface and renders the same resources.
 */
export interface IClusterSet {
  /** Bare expression of a map keyed by role, whose keys are known when Terraform plans. */
  readonly map: Expression;
  /** Bare expression of the number of clusters. */
  readonly count: Expression;
  /** What `for_each` takes. @default - one cluster: resources are not keyed */
  readonly iterator?: TerraformIterator;
  /** Bare expression of the role inside of a resource of the set: `each.key`, or a literal. */
  readonly role: Expression;
  /** Bare expression of a field inside of a resource of the set; undefined where the set has none. */
  field(name: ClusterField): Expression | undefined;
  /** Bare expression of a field of the cluster with `role`, anywhere in the stack. */
  fieldOf(name: ClusterField, role: Expression): Expression | undefined;
  /** Has Terraform refuse a plan of too many clusters, or the synth when the number is known. */
  require(condition: PlanCondition): void;
}
