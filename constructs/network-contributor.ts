import { Construct } from './cdk.js';
import { clusterTags, fieldOr, keyed, type TagSource } from './cluster-arguments.js';
import { attributeOf, template, type Expression } from './expressions.js';
import type { IResourceGroup } from './mesh-cluster-props.js';
import type { IMeshVnet } from './mesh-clusters.js';
import { RoleAssignment, UserAssignedIdentity } from './providers.js';

/** The role by name; its id is 4d97b98b-1d4f-4787-a291-c67834d212e7. */
const NETWORK_CONTRIBUTOR = 'Network Contributor';

/** For whom, and on what. */
export interface NetworkContributorProps extends TagSource {
  readonly resourceGroup: IResourceGroup;
  readonly vnet: IMeshVnet;
  /** Terraform name that the resources begin with. */
  readonly name: string;
}

/**
 * An identity for each cluster that may change its VNet. Without the role the internal load balancer
 * of `clustermesh-apiserver` never gets an address and the mesh fails after 15 minutes.
 */
export class NetworkContributor extends Construct {
  /** Bare expression of the id of the identity, inside of a resource of the set. */
  readonly identityId: Expression;
  /** The assignment: clusters depend on it. */
  readonly role: RoleAssignment;

  constructor(scope: Construct, id: string, props: NetworkContributorProps) {
    super(scope, id);
    const { clusters, resourceGroup } = props;
    const identity = new UserAssignedIdentity(this, 'identity', {
      ...keyed(clusters),
      name: template(clusters.role),
      location: fieldOr(clusters, 'location', resourceGroup.location),
      resourceGroupName: resourceGroup.name,
      tags: clusterTags(props),
    });
    identity.overrideLogicalId(props.name);
    this.identityId = attributeOf(identity, 'id', clusters.role);
    this.role = new RoleAssignment(this, 'role', {
      ...keyed(clusters),
      scope: template(props.vnet.vnetId(clusters.role)),
      roleDefinitionName: NETWORK_CONTRIBUTOR,
      principalId: template(attributeOf(identity, 'principal_id', clusters.role)),
      // The directory may not know an identity that was made a second ago.
      principalType: 'ServicePrincipal',
      skipServicePrincipalAadCheck: true,
    });
    this.role.overrideLogicalId(`${props.name}_network_contributor`);
  }
}
