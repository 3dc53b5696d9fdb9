import type { TerraformIterator } from './cdk.js';
import type { ClusterField, IClusterSet } from './cluster-set.js';
import { template } from './expressions.js';

/** `for_each` of a set, nothing for one cluster. */
export function keyed(clusters: IClusterSet): { readonly forEach?: TerraformIterator } {
  return clusters.iterator === undefined ? {} : { forEach: clusters.iterator };
}

/** The set's own value of a field, or else what all clusters have in common. */
export function fieldOr<T extends string | undefined>(
  clusters: IClusterSet,
  name: ClusterField,
  common: T,
): string | T {
  const own = clusters.field(name);
  return own === undefined ? common : template(own);
}

/** What the tags of a cluster are made of. */
export interface TagSource {
  readonly clusters: IClusterSet;
  readonly meshName: string;
  readonly deletionDueTime?: string;
  readonly tags?: Readonly<Record<string, string>>;
}

/** The tags by which clusters are discovered and cleaned up (contracts §1). */
export function clusterTags(source: TagSource): Record<string, string> {
  return {
    ...source.tags,
    meshscale: source.meshName,
    'meshscale-role': template(source.clusters.role),
    ...(source.deletionDueTime === undefined
      ? {}
      : { 'deletion-due-time': source.deletionDueTime }),
  };
}
