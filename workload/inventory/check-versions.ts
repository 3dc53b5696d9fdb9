import type { InventoryCluster } from '../../model/inventory.js';
import type { UserError } from '../../model/user-error.js';
import { mixedVersions } from './errors.js';

/**
 * Whether all clusters run the same release of each component. Like is compared with like, across
 * clusters: components of one cluster may be of different releases. What nobody tells is `unseen`.
 */
export function checkVersions(clusters: readonly InventoryCluster[]): {
  problems: readonly UserError[];
  good: readonly string[];
  unseen: readonly string[];
} {
  const versions = clusters.map((cluster) => ({ role: cluster.role, of: componentsOf(cluster) }));
  const components = [...new Set(versions.flatMap(({ of }) => [...of.keys()]))].sort();
  const problems = components.flatMap((component) => {
    const known = versions.flatMap(({ role, of }) => {
      const version = of.get(component);
      return version === undefined ? [] : [{ role, version }];
    });
    const different = new Set(known.map(({ version }) => version));
    return different.size < 2 ? [] : [mixedVersions(component, known)];
  });
  const unseen = versions.flatMap(({ role, of }) =>
    of.has(MESH) || of.has('kvstoremesh') ? [] : [`${role}: its Cilium version could not be read`],
  );
  const seen = components.length > 0 && problems.length === 0;
  const good = seen ? [`versions are the same everywhere (${components.length} components)`] : [];
  return { problems, good, unseen };
}

/** Of a local mesh the versions stand among its components; one of two names would be told twice. */
function componentsOf({
  components,
  ciliumVersion,
  kubernetesVersion,
}: InventoryCluster): ReadonlyMap<string, string> {
  const own = Object.entries(components ?? {});
  const named = [
    [MESH, own.length > 0 ? undefined : ciliumVersion],
    ['Kubernetes', own.length > 0 ? undefined : kubernetesVersion],
  ] as const;
  return new Map([
    ...own,
    ...named.flatMap(([name, version]) =>
      version === undefined ? [] : [[name, version] as const],
    ),
  ]);
}

const MESH = 'Cilium';
