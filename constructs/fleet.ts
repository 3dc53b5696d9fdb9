import { Construct } from './cdk.js';
import { addressOf, literal, stableName, type Expression } from './expressions.js';
import type { IResourceGroup } from './mesh-cluster-props.js';
import { KubernetesFleetManager } from './providers.js';

/** A fleet that clusters can join. */
export interface IFleet {
  /** Bare expression of its resource id. */
  readonly fleetId: Expression;
}

/** How a fleet is made. */
export interface FleetProps {
  readonly resourceGroup: IResourceGroup;
  /** Lower-case letters, digits and `-`, 1 to 63. */
  readonly name: string;
  /** @default - none */
  readonly tags?: Readonly<Record<string, string>>;
}

/** An Azure Kubernetes Fleet Manager without a hub: a mesh needs none. */
export class Fleet extends Construct implements IFleet {
  /** A fleet that this app did not make; it stays when the mesh goes. */
  static fromFleetAttributes(attributes: { readonly fleetId: string }): IFleet {
    return { fleetId: literal(attributes.fleetId) };
  }

  readonly fleetId: Expression;

  constructor(scope: Construct, id: string, props: FleetProps) {
    super(scope, id);
    const fleet = new KubernetesFleetManager(this, 'fleet', {
      name: props.name,
      location: props.resourceGroup.location,
      resourceGroupName: props.resourceGroup.name,
      tags: { ...props.tags },
    });
    fleet.overrideLogicalId(stableName(this));
    this.fleetId = `${addressOf(fleet)}.id`;
  }
}
