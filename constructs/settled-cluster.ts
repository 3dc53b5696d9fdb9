import { Construct, type ITerraformDependable } from './cdk.js';
import { keyed } from './cluster-arguments.js';
import type { IClusterSet } from './cluster-set.js';
import { stableName, template, type Expression } from './expressions.js';
import { FleetHandler } from './fleet-handler.js';
import { NullResource } from './providers.js';

/** Creating ACNS takes 10 to 15 minutes of "Updating"; one cluster needed 17. @see azure-limits.md §5 */
const SETTLE_TIMEOUT = '30m';

/** Which clusters are waited for. */
export interface SettledClusterProps {
  readonly clusters: IClusterSet;
  /** Bare expression of the resource id of the cluster with a role. */
  readonly clusterId: (role: Expression) => Expression;
  /** What has to be there before. @default - nothing but the clusters */
  readonly after?: readonly ITerraformDependable[];
  /** @default '30m' */
  readonly timeout?: string;
  /** @default - the one of this package */
  readonly handler?: FleetHandler;
}

/**
 * A point in Terraform's order at which clusters have come to rest: the cluster and its add-ons read
 * `Succeeded` several times in a row. It waits when a cluster is new or was replaced, and destroys
 * nothing.
 */
export class SettledCluster extends Construct {
  /** What others depend on. */
  readonly resource: NullResource;

  constructor(scope: Construct, id: string, props: SettledClusterProps) {
    super(scope, id);
    const handler = props.handler ?? FleetHandler.of(this);
    this.resource = new NullResource(this, 'wait', {
      ...keyed(props.clusters),
      triggers: { cluster_id: template(props.clusterId(props.clusters.role)) },
      provisioners: [
        handler.provisioner({
          verb: 'settle',
          when: 'create',
          timeout: props.timeout ?? SETTLE_TIMEOUT,
          environment: { CLUSTER_ID: '${self.triggers.cluster_id}' },
        }),
      ],
      dependsOn: [...(props.after ?? [])],
    });
    this.resource.overrideLogicalId(stableName(this));
  }
}
