import type { Inventory } from '../../model/inventory.js';
import type { RunPlan } from '../../model/run-plan.js';
import { generateCl2, type Cl2Job } from '../../workload/cl2/generate.js';
import type { PrometheusMode } from '../../workload/cl2/prometheus-mode.js';
import { loadCatalogue, type Catalogue } from '../../workload/measure/catalogue.js';
import { seededRandom } from '../../workload/platform/random.js';
import { findScenario } from '../../workload/scenario/catalog.js';
import { shippedFolders } from '../../workload/scenario/folders.js';
import { planRun } from '../../workload/scenario/plan.js';
import { createVirtualClock } from './virtual-clock.js';

/** A shipped scenario, planned for clusters of this kind. */
export interface PlannedScenario {
  readonly plan: RunPlan;
  readonly catalogue: Catalogue;
}

/** Two clusters: real ones with Cilium 1.18, or local ones. */
export function inventoryOfTwo(target: 'kubeconfig' | 'local'): Inventory {
  return {
    schemaVersion: 1,
    target,
    meshName: 'test',
    createdAt: '2026-05-15T02:00:00.000Z',
    partial: false,
    expectedClusters: 2,
    network: { mode: 'none' },
    clusters: [1, 2].map((number) => ({
      role: `mesh-00${number}`,
      number,
      nodes: 20,
      ...(target === 'local' ? { components: { kvstoremesh: '1.20.2' } } : {}),
      ciliumVersion: '1.18.11',
      podCidrs: [],
      nodeCidrs: [],
      serviceCidrs: [],
      podNetwork: 'overlay',
      datapath: target === 'kubeconfig',
      access: { kind: 'kubeconfig', file: 'f', context: 'c' },
    })),
  };
}

/** Plans a scenario of `scenarios/` with these `--set` texts. */
export async function plannedScenario(
  name: string,
  settings: readonly string[] = [],
  target: 'kubeconfig' | 'local' = 'kubeconfig',
): Promise<PlannedScenario> {
  const folders = shippedFolders();
  const catalogue = await loadCatalogue(folders.measurements);
  const loaded = await findScenario(folders.scenarios, name, catalogue);
  const result = planRun({
    loaded,
    catalogue,
    inventory: inventoryOfTwo(target),
    settings,
    seed: 7,
    engine: 'clusterloader2',
    versions: {},
    clock: createVirtualClock(Date.UTC(2026, 4, 15, 2, 0, 0)),
    random: seededRandom(1),
  });
  if (!result.ok) throw new Error(result.errors.map(({ message }) => message).join('\n'));
  return { plan: result.plan, catalogue };
}

/** What ClusterLoader2 gets for the first cluster of that plan. */
export async function cl2JobOf(
  name: string,
  prometheus: PrometheusMode = 'existing',
  settings: readonly string[] = [],
): Promise<Cl2Job> {
  const { plan, catalogue } = await plannedScenario(name, settings);
  return generateCl2({ plan, catalogue, role: 'mesh-001', prometheus });
}
