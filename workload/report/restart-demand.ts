import type { MeshRates } from '../../model/run-plan.js';
import type { Scenario } from '../../model/scenario-spec.js';
import type { ReportDemand } from './report-model.js';

/** A replaced pod takes its address away and brings another one. @see data/mesh-model.md §4 */
const KEYS_PER_REPLACED_POD = 2;

/**
 * What the restarts of a scenario ask of the mesh, phase by phase: changed keys of each cluster, and
 * the least time that the limiters need for them when every cluster restarts at once.
 */
export function restartDemands(
  { objects, phases }: Scenario,
  rates: MeshRates | undefined,
  clusters: number,
): readonly ReportDemand[] {
  const [workload] = objects;
  if (workload === undefined) return [];
  const { globalNamespaces, deploymentsPerNamespace, replicasPerDeployment } = workload;
  const exported = globalNamespaces * deploymentsPerNamespace * replicasPerDeployment;
  return phases.flatMap(({ name, action }) => {
    if (action.kind !== 'restart') return [];
    const pods = exported * action.times;
    const keys = pods * KEYS_PER_REPLACED_POD;
    if (keys === 0) return [];
    return [{ phase: name, pods, keys, drainSeconds: drainSeconds(keys, rates, clusters) }];
  });
}

/** The slower of the two stages; each lets a burst of one second's worth pass at once. §5 there. */
function drainSeconds(
  keys: number,
  rates: MeshRates | undefined,
  clusters: number,
): number | undefined {
  if (rates === undefined || clusters < 2) return undefined;
  const { exporterPerSecond, kvstoremeshPerSecond } = rates;
  const exporting = (keys - exporterPerSecond) / exporterPerSecond;
  const importing = (keys * (clusters - 1) - kvstoremeshPerSecond) / kvstoremeshPerSecond;
  return Math.max(0, exporting, importing);
}
