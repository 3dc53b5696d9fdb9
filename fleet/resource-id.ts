/** Ids of Azure are compared without regard to case: AKS writes `resourcegroups`, Fleet `resourceGroups`. */
export function sameId(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** The last part of an id: the resource's name. */
export function nameOfId(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1);
}

/** True for the full id of a fleet. */
export function isFleetId(id: string): boolean {
  return FLEET_ID.test(id);
}

/** True for the full id of an AKS cluster. */
export function isClusterId(id: string): boolean {
  return CLUSTER_ID.test(id);
}

/** @see fleet-api.md §3: the pattern of member and profile names */
const NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
/** Name and the three digits of a Cilium id have to fit into Cilium's 32 characters. @see fleet-api.md §11 */
export const LONGEST_MEMBER_NAME = 29;
/** @see fleet-api.md §3 */
export const LONGEST_PROFILE_NAME = 63;

/** True for a name that Fleet takes, of at most `longest` characters. */
export function isFleetName(name: string, longest: number): boolean {
  return name.length <= longest && NAME.test(name);
}

const GROUP = '/subscriptions/[^/]+/resourceGroups/[^/]+';
const SERVICE = '/providers/Microsoft\\.ContainerService';
const FLEET_ID = new RegExp(`^${GROUP}${SERVICE}/fleets/[^/]+$`, 'i');
const CLUSTER_ID = new RegExp(`^${GROUP}${SERVICE}/managedClusters/[^/]+$`, 'i');
