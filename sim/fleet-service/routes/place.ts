/** What a path speaks of. */
export type Place =
  | { readonly kind: 'fleet'; readonly fleetId: string }
  | { readonly kind: 'members'; readonly fleetId: string }
  | { readonly kind: 'member'; readonly fleetId: string; readonly name: string }
  | { readonly kind: 'profiles'; readonly fleetId: string }
  | { readonly kind: 'profile'; readonly fleetId: string; readonly name: string }
  | { readonly kind: 'apply'; readonly fleetId: string; readonly name: string }
  | { readonly kind: 'operation' }
  | { readonly kind: 'cluster'; readonly clusterId: string }
  | { readonly kind: 'credential'; readonly clusterId: string }
  | { readonly kind: 'clusters'; readonly scope: string }
  | { readonly kind: 'unknown' };

/** Reads a path; the words of Azure in any case. */
export function placeOf(path: string): Place {
  const bare = path.replace(/\?.*$/, '').replace(/\/+$/, '');
  if (OPERATION.test(bare)) return { kind: 'operation' };
  const fleet = FLEET.exec(bare);
  if (fleet?.[1] !== undefined) return insideFleet(fleet[1], fleet[2] ?? '');
  const cluster = CLUSTER.exec(bare);
  if (cluster?.[1] !== undefined) {
    const kind = cluster[2] === undefined ? 'cluster' : 'credential';
    return { kind, clusterId: cluster[1] };
  }
  const clusters = CLUSTERS.exec(bare);
  return clusters?.[1] === undefined
    ? { kind: 'unknown' }
    : { kind: 'clusters', scope: clusters[1] };
}

function insideFleet(fleetId: string, rest: string): Place {
  const [, collection = '', name, action, ...more] = rest.split('/');
  if (more.length > 0) return { kind: 'unknown' };
  if (collection === '') return { kind: 'fleet', fleetId };
  const members = collection.toLowerCase() === 'members';
  if (!members && collection.toLowerCase() !== 'clustermeshprofiles') return { kind: 'unknown' };
  if (name === undefined) return { kind: members ? 'members' : 'profiles', fleetId };
  if (action?.toLowerCase() === 'apply' && !members) return { kind: 'apply', fleetId, name };
  if (action !== undefined) return { kind: 'unknown' };
  return { kind: members ? 'member' : 'profile', fleetId, name };
}

const SERVICE = '/providers/Microsoft\\.ContainerService';
const GROUP = '/subscriptions/[^/]+/resourceGroups/[^/]+';
const FLEET = new RegExp(`^(${GROUP}${SERVICE}/fleets/[^/]+)(/.*)?$`, 'i');
const CLUSTER = new RegExp(
  `^(${GROUP}${SERVICE}/managedClusters/[^/]+)(/listCluster(?:User|Admin)Credential)?$`,
  'i',
);
const CLUSTERS = new RegExp(
  `^(/subscriptions/[^/]+(?:/resourceGroups/[^/]+)?)${SERVICE}/managedClusters$`,
  'i',
);
const OPERATION = new RegExp(`${SERVICE}/locations/[^/]+/operation(?:s|results)/[^/]+$`, 'i');
