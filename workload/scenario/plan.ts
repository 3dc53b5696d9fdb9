import type { Inventory, InventoryCluster } from '../../model/inventory.js';
import {
  RUN_PLAN_SCHEMA_VERSION,
  type MeshRates,
  type PlannedCluster,
  type PlannedMeasurement,
  type RunPlan,
} from '../../model/run-plan.js';
import type { Scenario } from '../../model/scenario-spec.js';
import type { UserError } from '../../model/user-error.js';
import { notApplicableReason } from '../measure/applicability.js';
import type { Catalogue, CataloguedMeasurement } from '../measure/catalogue.js';
import type { Clock } from '../platform/clock.js';
import type { Random } from '../platform/random.js';
import { applyKnobs } from './knobs.js';
import { resolveScenario, type LoadedScenario } from './load.js';
import { unmetNeeds } from './needs.js';
import { runId } from './run-id.js';

/** What a plan is made of. */
export interface PlanRequest {
  readonly loaded: LoadedScenario;
  readonly catalogue: Catalogue;
  readonly inventory: Inventory;
  /** `--set` texts. */
  readonly settings: readonly string[];
  readonly seed: number;
  readonly engine: RunPlan['engine'];
  readonly versions: Readonly<Record<string, string>>;
  readonly rates?: MeshRates | undefined;
  readonly clock: Clock;
  /** For the end of the run's id only. */
  readonly random: Random;
}

/** What planning gives: the plan, or everything that is wrong with the request. */
export type PlanResult =
  | { readonly ok: true; readonly plan: RunPlan }
  | { readonly ok: false; readonly errors: readonly UserError[] };

/** Resolves the scenario for these clusters and derives what each of them has to deliver. */
export function planRun(request: PlanRequest): PlanResult {
  const { loaded, catalogue, inventory, clock } = request;
  const applied = applyKnobs(loaded.scenario, request.settings);
  if (!applied.ok) return applied;
  const values = Object.entries(applied.knobs).map(([name, { value }]) => [name, value] as const);
  const count = inventory.clusters.length;
  const builtIns = { clusters: count, peers: Math.max(0, count - 1) };
  const resolved = resolveScenario(loaded, Object.fromEntries(values), builtIns);
  if (!resolved.ok) return resolved;
  const { scenario } = resolved;
  const measured = measurementsOf(scenario, catalogue);
  const now = clock.now();
  const plan: RunPlan = {
    schemaVersion: RUN_PLAN_SCHEMA_VERSION,
    runId: runId(scenario.name, now, request.random),
    startedAt: new Date(now).toISOString(),
    engine: request.engine,
    seed: request.seed,
    versions: { ...request.versions },
    scenario,
    knobs: { ...applied.knobs },
    inventory,
    unmetNeeds: [...unmetNeeds(scenario.needs, inventory)],
    expected: measured.map(({ planned }) => planned),
    clusters: inventory.clusters.map((cluster) =>
      plannedCluster(cluster, inventory, scenario, measured),
    ),
    ...(request.rates === undefined ? {} : { rates: request.rates }),
  };
  return { ok: true, plan };
}

interface Measured {
  readonly spec: CataloguedMeasurement;
  readonly planned: PlannedMeasurement;
}

function measurementsOf(scenario: Scenario, catalogue: Catalogue): readonly Measured[] {
  return scenario.measurements.flatMap(({ id, phase, through = phase, expected }) => {
    const spec = catalogue.byId.get(id);
    if (spec === undefined) return []; // loading has refused it
    const queries = spec.queries.map(({ name }) => name);
    const { metricName: measurement } = spec;
    const planned = { id, measurement, queries, phase, through, series: expected.series };
    return [{ spec, planned }];
  });
}

function plannedCluster(
  cluster: InventoryCluster,
  { target }: Inventory,
  { group }: Scenario,
  measured: readonly Measured[],
): PlannedCluster {
  const reasons = measured.map(({ spec }) => ({
    spec,
    reason: notApplicableReason(spec, target, cluster),
  }));
  const shown = reasons.filter(({ reason }) => reason === undefined);
  return {
    role: cluster.role,
    files: ['junit.xml', ...new Set(shown.map(({ spec }) => summaryFile(spec, group)))],
    notApplicable: reasons.flatMap(({ spec: { id }, reason }) =>
      reason === undefined ? [] : [{ id, reason }],
    ),
  };
}

/** The file's name up to its time, as ClusterLoader2 makes it. @see data/results-schema.md §1 */
function summaryFile({ method, metricName }: CataloguedMeasurement, group: string): string {
  switch (method) {
    case 'GenericPrometheusQuery':
      return `GenericPrometheusQuery ${metricName}_${group}`;
    case 'APIResponsivenessPrometheus':
      return `APIResponsivenessPrometheus_${group}`;
    case 'PodStartupLatency':
      return `PodStartupLatency_PodStartupLatency_${group}`;
  }
}
