import type { Inventory, InventoryCluster } from '../../model/inventory.js';
import {
  LOCAL_COMPONENTS,
  type MeasurementSource,
  type MeasurementSpec,
} from '../../model/measurement-spec.js';

/** Why a cluster of this target cannot show a measurement; undefined when it can. */
export function notApplicableReason(
  { source, minVersion, unavailable }: MeasurementSpec,
  target: Inventory['target'],
  cluster: InventoryCluster,
): string | undefined {
  if (unavailable !== undefined) return unavailable;
  if (target === 'local' && !SEEN_LOCALLY.has(source)) {
    return `needs ${source}, which a local mesh does not have`;
  }
  if (target === 'azure' && MANAGED_AWAY.has(source)) {
    return `needs ${source}, which a managed control plane does not show`;
  }
  const version = versionOf(cluster, source);
  if (minVersion === undefined || version === undefined) return undefined;
  if (compareVersions(version, minVersion) >= 0) return undefined;
  return `needs ${source} ${minVersion} or newer; this cluster has ${version}`;
}

/** The parts that a local mesh runs, and the engine. */
const SEEN_LOCALLY: ReadonlySet<MeasurementSource> = new Set([...LOCAL_COMPONENTS, 'engine']);

/** @see data/measurements.md §7: never visible on AKS */
const MANAGED_AWAY: ReadonlySet<MeasurementSource> = new Set([
  'etcd',
  'kube-controller-manager',
  'kube-scheduler',
  'kwok',
  'agent-controller',
]);

/** Cilium's parts are released together, so its version stands for those that give none. */
function versionOf(cluster: InventoryCluster, source: MeasurementSource): string | undefined {
  const own = cluster.components?.[source];
  return own ?? (CILIUM.has(source) ? cluster.ciliumVersion : undefined);
}

const CILIUM: ReadonlySet<MeasurementSource> = new Set([
  'clustermesh-apiserver',
  'kvstoremesh',
  'cilium-agent',
  'cilium-operator',
]);

/** Compares `1.20.2` with `1.16` number by number; what is missing counts as 0. */
function compareVersions(one: string, other: string): number {
  const [left, right] = [numbersOf(one), numbersOf(other)];
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function numbersOf(version: string): readonly number[] {
  const plain = /^v?(\d+(?:\.\d+)*)/.exec(version)?.[1] ?? '0';
  return plain.split('.').map(Number);
}
