import { Construct, type ITerraformDependable } from './cdk.js';
import { keyed } from './cluster-arguments.js';
import { attributeOf, template, type Expression } from './expressions.js';
import type { IMeshClusters } from './mesh-clusters.js';
import { KubernetesFleetMember } from './providers.js';

/** Which clusters become members of which fleet. */
export interface FleetMembersProps {
  readonly clusters: IMeshClusters;
  /** Bare expression of the id of the fleet. */
  readonly fleetId: Expression;
  /** Terraform name of the resource. */
  readonly name: string;
  /** What has to be there before. */
  readonly after: readonly ITerraformDependable[];
}

/**
 * The clusters as members of the fleet, named by role. Roles are equally long, because Fleet makes
 * Cilium's cluster name by writing its number right behind the member's name: with names of
 * different length, two clusters could end up with the same one.
 */
export class FleetMembers extends Construct {
  readonly resource: KubernetesFleetMember;

  constructor(scope: Construct, id: string, props: FleetMembersProps) {
    super(scope, id);
    const { role } = props.clusters.clusters;
    this.resource = new KubernetesFleetMember(this, 'member', {
      ...keyed(props.clusters.clusters),
      name: template(role),
      kubernetesClusterId: template(props.clusters.clusterId(role)),
      kubernetesFleetId: template(props.fleetId),
      // The provider's version of the interface does not know labels: an update by it could drop
      // those that make the mesh. `group` is all that it can update.
      lifecycle: { ignoreChanges: ['group'] },
      dependsOn: [...props.after],
    });
    this.resource.overrideLogicalId(props.name);
  }

  /** Bare expression of the id of the member with `role`. */
  memberId(role: Expression): Expression {
    return attributeOf(this.resource, 'id', role);
  }
}
