/** Cilium addresses clusters by an id of one byte, so a mesh has at most this many. @see data/mesh-model.md §1 */
export const MAX_CLUSTERS = 255;

/** `mesh-001` … `mesh-255`: the one name of a cluster, everywhere. */
export type ClusterRole = string;

/** The role of cluster `number` (1 … 255), always with three digits so that names sort. */
export function clusterRole(number: number): ClusterRole {
  if (!Number.isInteger(number) || number < 1 || number > MAX_CLUSTERS) {
    throw new RangeError(`cluster number ${number} is not in 1…${MAX_CLUSTERS}`);
  }
  return `mesh-${String(number).padStart(3, '0')}`;
}

/** The number at the end of a role, also of foreign spellings such as `mesh-1`; undefined without one. */
export function clusterNumber(role: string): number | undefined {
  const digits = /(\d+)$/.exec(role)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Roles of clusters 1 … count. */
export function clusterRoles(count: number): readonly ClusterRole[] {
  return Array.from({ length: count }, (_, index) => clusterRole(index + 1));
}

/** A directed pair of clusters: what `source` exports and `reader` reads. */
export interface ClusterPair {
  readonly source: ClusterRole;
  readonly reader: ClusterRole;
}

/** `mesh-001--mesh-002`, source first. */
export function pairName(pair: ClusterPair): string {
  return `${pair.source}--${pair.reader}`;
}

/** Every ordered pair of different roles: N·(N−1) of them. */
export function directedPairs(roles: readonly ClusterRole[]): readonly ClusterPair[] {
  return roles.flatMap((source) =>
    roles.filter((reader) => reader !== source).map((reader) => ({ source, reader })),
  );
}
