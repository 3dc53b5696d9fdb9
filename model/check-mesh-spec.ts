import { badSpecField, duplicateCluster, networkCeiling, oldKubernetes } from './errors.js';
import { checkRanges } from './check-ranges.js';
import { PROMETHEUS_NODES } from './cluster-shape.js';
import { meshSpecSchema, resolveMeshSpec, type MeshSpec, type ResolvedMesh } from './mesh-spec.js';
import { NETWORK_CEILINGS, addressesPerCluster } from './network-limits.js';
import { pathPlace, type PlaceOf } from './spec-place.js';
import type { UserError } from './user-error.js';

/** What checking a spec gives: the mesh, or everything that is wrong with it. */
export type CheckedMesh = GoodMesh | { readonly ok: false; readonly errors: readonly UserError[] };

/** A spec with which nothing is wrong. */
export interface GoodMesh {
  readonly ok: true;
  /** As it was given. */
  readonly spec: MeshSpec;
  readonly mesh: ResolvedMesh;
  readonly warnings: readonly string[];
}

/** Fleet's cluster mesh. @see "Fleet cross-cluster networking", 2026-07 */
const OLDEST_KUBERNETES = [1, 32] as const;

/**
 * Checks a mesh spec and tells all problems at once, sorted by place. `placeOf` turns paths into
 * lines of a file; without it places are paths such as `clusters[2].addresses.pods`.
 */
export function checkMeshSpec(input: unknown, placeOf: PlaceOf = pathPlace): CheckedMesh {
  const parsed = meshSpecSchema.safeParse(input);
  if (!parsed.success) {
    const errors = parsed.error.issues.map((issue) => {
      const path = issue.path.filter((step) => typeof step !== 'symbol');
      if (issue.code !== 'unrecognized_keys') return badSpecField(placeOf(path), issue.message);
      const unknown = issue.keys.join(', ');
      return badSpecField(placeOf(path), `there is no field ${unknown}`, issue.message);
    });
    return { ok: false, errors };
  }
  const mesh = resolveMeshSpec(parsed.data);
  const ranges = checkRanges(parsed.data, mesh, placeOf);
  const errors = [
    ...checkNumbers(parsed.data, placeOf),
    ...checkVersions(parsed.data, placeOf),
    ...ranges.errors,
    ...checkCeilings(mesh, placeOf),
  ];
  return errors.length > 0
    ? { ok: false, errors }
    : {
        ok: true,
        spec: parsed.data,
        mesh,
        warnings: [...ranges.warnings, ...regionWarnings(mesh)],
      };
}

function checkNumbers(spec: MeshSpec, placeOf: PlaceOf): readonly UserError[] {
  return spec.clusters.flatMap(({ number }, index) =>
    spec.clusters.findIndex((other) => other.number === number) === index
      ? []
      : [duplicateCluster(placeOf(['clusters', index, 'number']), number)],
  );
}

function checkVersions(spec: MeshSpec, placeOf: PlaceOf): readonly UserError[] {
  const given = [
    { version: spec.defaults?.kubernetesVersion, path: ['defaults', 'kubernetesVersion'] },
    ...spec.clusters.map(({ kubernetesVersion }, index) => ({
      version: kubernetesVersion,
      path: ['clusters', index, 'kubernetesVersion'],
    })),
  ];
  return given.flatMap(({ version, path }) =>
    version === undefined || newEnough(version)
      ? []
      : [oldKubernetes(placeOf(path), version, OLDEST_KUBERNETES.join('.'))],
  );
}

function newEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_KUBERNETES;
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}

function checkCeilings(mesh: ResolvedMesh, placeOf: PlaceOf): readonly UserError[] {
  const ceiling = NETWORK_CEILINGS[mesh.network];
  const count = mesh.clusters.length;
  const addresses = mesh.clusters
    .map(({ nodes, plannedPodsPerNode }) =>
      addressesPerCluster(nodes + PROMETHEUS_NODES, plannedPodsPerNode),
    )
    .reduce((sum, each) => sum + each, 0);
  const where = placeOf(['clusters']);
  const many = `${count} clusters are more than the network mode ${mesh.network} can hold (${ceiling.clusters}): ${ceiling.clustersReason}`;
  const large = `the clusters need ${addresses} private addresses, more than the ${ceiling.addresses} of ${ceiling.addressesPer}`;
  return [
    ...(count > ceiling.clusters ? [networkCeiling(where, many, ceiling.instead)] : []),
    ...(addresses > ceiling.addresses
      ? [networkCeiling(where, large, 'plan fewer nodes, fewer pods per node or fewer clusters')]
      : []),
  ];
}

/** Where the mesh was seen to work. @see azure-limits.md §7 */
const KNOWN_REGIONS = ['eastus2euap', 'canadacentral'];

function regionWarnings(mesh: ResolvedMesh): readonly string[] {
  const regions = [...new Set(mesh.clusters.map(({ region }) => region))];
  return regions
    .filter((region) => !KNOWN_REGIONS.includes(region))
    .map(
      (region) =>
        `Fleet's cluster mesh is a preview and was not seen in ${region} (seen in ${KNOWN_REGIONS.join(', ')}): mesh two clusters first`,
    );
}
