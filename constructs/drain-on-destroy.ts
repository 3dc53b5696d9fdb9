import { Construct, Token, type ITerraformDependable } from './cdk.js';
import { keyed } from './cluster-arguments.js';
import type { IClusterSet } from './cluster-set.js';
import { template, type Expression } from './expressions.js';
import type { FleetHandler } from './fleet-handler.js';
import type { FleetMembers } from './fleet-members.js';
import { NullResource } from './providers.js';

/** The deadlines of the handler's calls, such as `90m`. */
export interface DrainTimeouts {
  /** Until one member has left. */
  readonly leave: string;
  /** Until the whole mesh is dissolved. */
  readonly drain: string;
}

/** What is drained. */
export interface DrainOnDestroyProps {
  readonly clusters: IClusterSet;
  readonly members: FleetMembers;
  /** Bare expression of the id of the fleet. */
  readonly fleetId: Expression;
  readonly profile: string;
  readonly handler: FleetHandler;
  readonly timeouts: DrainTimeouts;
  /** Terraform name that the resources begin with. */
  readonly name: string;
  /** What has to be there while members leave. */
  readonly after: readonly ITerraformDependable[];
}

/**
 * The half of a mesh that acts when it is destroyed: one *seat* per member, whose destruction makes
 * the member leave, and one *profile*, whose destruction dissolves the whole mesh at once and comes
 * before all seats.
 *
 * Two rules make it hold. Nothing here has a create provisioner, so nothing here can be *tainted*:
 * Terraform skips the destroy provisioners of tainted resources. And the triggers are identities
 * only, so that growing never replaces (which would drain) what stays.
 */
export class DrainOnDestroy extends Construct {
  /** What the mesh is applied after. */
  readonly profile: NullResource;

  constructor(scope: Construct, id: string, props: DrainOnDestroyProps) {
    super(scope, id);
    const seat = this.seat(props);
    this.profile = this.profileOf(props, seat);
  }

  private seat(props: DrainOnDestroyProps): NullResource {
    const { clusters, members, handler } = props;
    const seat = new NullResource(this, 'seat', {
      ...keyed(clusters),
      triggers: {
        fleet_id: template(props.fleetId),
        profile: props.profile,
        member: template(clusters.role),
        // A replaced cluster has an unknown id in the plan, so its seat leaves before it goes.
        member_id: template(members.memberId(clusters.role)),
      },
      provisioners: [
        handler.provisioner({
          verb: 'leave',
          when: 'destroy',
          timeout: props.timeouts.leave,
          environment: {
            FLEET_ID: '${self.triggers.fleet_id}',
            PROFILE: '${self.triggers.profile}',
            MEMBER: '${self.triggers.member}',
          },
        }),
      ],
      dependsOn: [...props.after],
    });
    seat.overrideLogicalId(`${props.name}_seat`);
    return seat;
  }

  private profileOf(props: DrainOnDestroyProps, seat: NullResource): NullResource {
    const profile = new NullResource(this, 'profile', {
      count: meshCount(props.clusters),
      triggers: { fleet_id: template(props.fleetId), profile: props.profile },
      provisioners: [
        props.handler.provisioner({
          verb: 'drain',
          when: 'destroy',
          timeout: props.timeouts.drain,
          environment: {
            FLEET_ID: '${self.triggers.fleet_id}',
            PROFILE: '${self.triggers.profile}',
          },
        }),
      ],
      dependsOn: [seat],
    });
    profile.overrideLogicalId(`${props.name}_profile`);
    return profile;
  }
}

/** One cluster is a member without a mesh: what a mesh of one member does is not known. */
export function meshCount(clusters: IClusterSet): number {
  return Token.asNumber(template(`${clusters.count} > 1 ? 1 : 0`));
}
