import { MESH_PROFILE } from '../model/fleet-names.js';
import { Construct } from './cdk.js';
import { DrainOnDestroy, meshCount } from './drain-on-destroy.js';
import { overlayInFleetMesh } from './errors.js';
import { stableName, template, type Expression } from './expressions.js';
import { FleetHandler } from './fleet-handler.js';
import { FleetMembers } from './fleet-members.js';
import type { IFleet } from './fleet.js';
import type { FleetMeshProps } from './fleet-mesh-props.js';
import { NullResource } from './providers.js';
import { SettledCluster } from './settled-cluster.js';

/** An apply of a large mesh takes 90 minutes before it counts as failed. @see fleet-api.md §8 */
const ENSURE_TIMEOUT = '2h';
const LEAVE_TIMEOUT = '2h';
const DRAIN_TIMEOUT = '2h';

/**
 * Joins clusters to one Cilium mesh by Azure Kubernetes Fleet Manager, so that the mesh can grow,
 * shrink and be destroyed by Terraform alone:
 *
 * - growing applies the mesh over the larger set and runs no destroy step;
 * - shrinking makes those leave that go, before their members and clusters are deleted;
 * - destroying drains the whole mesh once;
 * - a step that fails keeps what depends on it, and the next run goes on from there.
 *
 * The trap: a block that is removed from the code runs no destroy provisioner. To take the mesh out
 * of an app, replace it by `RetiredFleetMesh` for one deploy.
 *
 * @example
 * const mesh = new FleetMesh(this, 'fleet', { clusters, network, fleet });
 */
export class FleetMesh extends Construct {
  readonly fleet: IFleet;
  /** Name of the ClusterMeshProfile. */
  readonly profile: string;
  private readonly name: string;
  private readonly handler: FleetHandler;

  constructor(scope: Construct, id: string, props: FleetMeshProps) {
    super(scope, id);
    if (props.clusters.podNetwork !== 'flat') throw overlayInFleetMesh(this.node.path);
    this.fleet = props.fleet;
    this.profile = props.profile ?? MESH_PROFILE;
    this.name = stableName(this);
    this.handler = props.handler ?? FleetHandler.of(this);
    const members = this.members(props);
    const drain = new DrainOnDestroy(this, 'drain', {
      clusters: props.clusters.clusters,
      members,
      fleetId: this.fleet.fleetId,
      profile: this.profile,
      handler: this.handler,
      timeouts: {
        leave: props.leaveTimeout ?? LEAVE_TIMEOUT,
        drain: props.drainTimeout ?? DRAIN_TIMEOUT,
      },
      name: this.name,
      after: props.network.connected,
    });
    this.apply(props, members, drain);
  }

  private members(props: FleetMeshProps): FleetMembers {
    const { clusters } = props;
    const settled = new SettledCluster(this, 'settled', {
      clusters: clusters.clusters,
      clusterId: (role) => clusters.clusterId(role),
      handler: this.handler,
      after: clusters.complete,
    });
    return new FleetMembers(this, 'members', {
      clusters,
      fleetId: this.fleet.fleetId,
      name: `${this.name}_member`,
      after: [settled.resource, ...clusters.complete, ...props.network.connected],
    });
  }

  /** The half that acts at apply. It has no destroy provisioner, so replacing it drains nothing. */
  private apply(props: FleetMeshProps, members: FleetMembers, drain: DrainOnDestroy): void {
    const { clusters } = props.clusters;
    const apply = new NullResource(this, 'apply', {
      count: meshCount(clusters),
      triggers: {
        fleet_id: template(this.fleet.fleetId),
        profile: this.profile,
        members: template(memberIds(clusters.map, members)),
        revision: props.revision ?? '1',
      },
      provisioners: [
        this.handler.provisioner({
          verb: 'ensure',
          when: 'create',
          timeout: props.ensureTimeout ?? ENSURE_TIMEOUT,
          environment: {
            FLEET_ID: '${self.triggers.fleet_id}',
            PROFILE: '${self.triggers.profile}',
            MEMBERS: template(`join(",", keys(${clusters.map}))`),
          },
        }),
      ],
      dependsOn: [drain.profile],
    });
    apply.overrideLogicalId(`${this.name}_apply`);
  }
}

function memberIds(map: Expression, members: FleetMembers): Expression {
  return `join(",", [for role in keys(${map}) : ${members.memberId('role')}])`;
}
