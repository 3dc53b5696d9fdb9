import type { FailureSignature } from './signature.js';

/** What goes wrong while a mesh is formed. @see data/failure-signatures.md §2 */
export const FLEET_SIGNATURES: readonly FailureSignature[] = [
  {
    class: 'member-too-early',
    area: 'fleet',
    patterns: [/DependentResourceNotFound/i],
    retry: 'yes',
    cause: 'Fleet learns of a cluster 30 to 60 s after it is there',
    action: 'try again every 20 s',
  },
  {
    class: 'member-cluster-busy',
    area: 'fleet',
    patterns: [/ManagedClusterNotInExpectedState/i],
    retry: 'yes',
    cause: 'a role assignment is still updating the cluster',
    action: 'try again every 20 s',
  },
  {
    class: 'member-in-mesh',
    area: 'fleet',
    patterns: [/MemberBelongsToClusterMesh/i],
    retry: 'no',
    cause: 'a member of a mesh cannot be deleted',
    action: 'meshscale fleet drain takes it out of the mesh first',
  },
  {
    class: 'profile-has-members',
    area: 'fleet',
    patterns: [/CannotDeleteClusterMeshProfileWithMembers/i],
    retry: 'no',
    cause: 'a profile with members cannot be deleted',
    action: 'meshscale fleet drain takes its members out first',
  },
  {
    class: 'not-final-state',
    area: 'fleet',
    patterns: [/ResourceNotFinalState/i],
    retry: 'yes',
    cause: 'the profile is still being applied',
    action: 'wait until it is Succeeded; do not start a recovery',
  },
  {
    class: 'cluster-id-zero',
    area: 'fleet',
    patterns: [/cluster-id: "?0"?\s*$|invalid cluster ID 0/im],
    retry: 'once',
    cause: 'the ids of two members collided',
    action: 'delete the profile and make it anew: ids are drawn again',
  },
  {
    class: 'peers-incomplete',
    area: 'fleet',
    patterns: [/ClusterMesh:\s+(?!(\d+)\/\1 )\d+\/\d+ remote clusters ready/i],
    retry: 'yes',
    cause: 'some peer has no address yet',
    action: 'wait; at 20 clusters the slowest took 24 minutes',
  },
];
