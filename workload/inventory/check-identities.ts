import ipaddr from 'ipaddr.js';
import type { InventoryCluster } from '../../model/inventory.js';
import type { UserError } from '../../model/user-error.js';
import { overlapping, sameIdentity } from './errors.js';

/** Ids, names and ranges: each cluster needs its own. What a cluster does not tell is `unseen`. */
export function checkIdentities(clusters: readonly InventoryCluster[]): {
  problems: readonly UserError[];
  good: readonly string[];
  unseen: readonly string[];
} {
  const ids = shared(clusters, 'id', ({ ciliumId }) => ciliumId?.toString());
  const names = shared(clusters, 'name', ({ ciliumName }) => ciliumName);
  const ranges = overlaps(clusters);
  const unseen = clusters.flatMap(({ role, ciliumId, ciliumName, podCidrs }) => {
    const missing = [
      ...(ciliumId === undefined || ciliumName === undefined ? ['its Cilium name and id'] : []),
      ...(podCidrs.length === 0 ? ['its pod ranges'] : []),
    ];
    return missing.length === 0 ? [] : [`${role}: ${missing.join(' and ')} could not be read`];
  });
  const good = [
    ...(ids.length > 0 ? [] : told(clusters, 'Cilium ids are unique', ({ ciliumId }) => ciliumId)),
    ...(names.length > 0
      ? []
      : told(clusters, 'Cilium names are unique', ({ ciliumName }) => ciliumName)),
    ...(ranges.length > 0
      ? []
      : told(clusters, 'address ranges are disjoint', ({ podCidrs }) => podCidrs[0])),
  ];
  return { problems: [...ids, ...names, ...ranges], good, unseen };
}

/** Nothing is good of which nothing is known: that is told as unseen. */
function told(
  clusters: readonly InventoryCluster[],
  text: string,
  of: (cluster: InventoryCluster) => unknown,
): readonly string[] {
  const [known, all] = [clusters.filter((one) => of(one) !== undefined).length, clusters.length];
  if (known === 0) return [];
  return [known === all ? text : `${text}, of the ${known} of ${all} that tell them`];
}

function shared(
  clusters: readonly InventoryCluster[],
  what: 'id' | 'name',
  of: (cluster: InventoryCluster) => string | undefined,
): readonly UserError[] {
  const roles = new Map<string, string[]>();
  for (const cluster of clusters) {
    const value = of(cluster);
    if (value !== undefined) roles.set(value, [...(roles.get(value) ?? []), cluster.role]);
  }
  return [...roles].flatMap(([value, same]) =>
    same.length > 1 ? [sameIdentity(what, value, same)] : [],
  );
}

/** Service ranges are left out: they are the same everywhere on purpose. @see contracts.md §2 */
function overlaps(clusters: readonly InventoryCluster[]): readonly UserError[] {
  return clusters.flatMap((one, index) =>
    clusters.slice(index + 1).flatMap((other) => {
      const pairs = rangesOf(one).flatMap((left) =>
        rangesOf(other)
          .filter((right) => overlap(left, right))
          .map((right) => `${left} and ${right}`),
      );
      return pairs.length === 0 ? [] : [overlapping(one.role, other.role, pairs.join(', '))];
    }),
  );
}

function rangesOf({ podCidrs, nodeCidrs }: InventoryCluster): readonly string[] {
  return [...podCidrs, ...nodeCidrs].filter((range) => ipaddr.isValidCIDR(range));
}

function overlap(left: string, right: string): boolean {
  const [one, other] = [ipaddr.parseCIDR(left), ipaddr.parseCIDR(right)];
  if (one[0].kind() !== other[0].kind()) return false;
  // The wider one's prefix decides.
  const bits = Math.min(one[1], other[1]);
  return one[0].match(other[0], bits);
}
