import type { Milliseconds } from '../../model/quantity.js';
import type { RunPlan } from '../../model/run-plan.js';
import type { Scenario, ScenarioPhase } from '../../model/scenario-spec.js';
import type { Catalogue } from '../measure/catalogue.js';
import { namespaceNames, type ObjectSetting } from '../native/objects.js';
import type { Cl2Config } from './config-api.js';
import { configText } from './config-text.js';
import { clientsNeeded } from './clients.js';
import { expectedOf, type Cl2Expected } from './expected.js';
import {
  deploymentTemplate,
  serviceTemplate,
  type DeploymentVersion,
  type ObjectTemplate,
} from './object-templates.js';
import type { WindowedMeasurement } from './phase-setting.js';
import { phaseSteps, type PlannedStep } from './phase-steps.js';
import { podMonitorFiles } from './pod-monitors.js';
import type { PrometheusMode } from './prometheus-mode.js';
import { promMeasurement } from './query-steps.js';
import { tuningSets } from './tuning-sets.js';

/** All that ClusterLoader2 gets for one cluster, and all that it has to give back. */
export interface Cl2Job {
  readonly config: Cl2Config;
  /** What `--testconfig` names; templates lie beside it. */
  readonly configFile: string;
  readonly files: readonly ObjectTemplate[];
  /** The folder of `--prometheus-additional-monitors-path`; empty without a Prometheus of its own. */
  readonly monitors: readonly ObjectTemplate[];
  /** In the order in which they run; the first is `[step: 01]`. */
  readonly steps: readonly PlannedStep[];
  readonly expected: Cl2Expected;
  /** `--k8s-clients-number` */
  readonly clients: number;
  readonly prometheus: PrometheusMode;
  /** What an executor that is not on this machine has to know of the run. */
  readonly run: {
    readonly id: string;
    /** Where it loads. */
    readonly namespaces: readonly string[];
    /** The most that the whole scenario may take. */
    readonly budget: Milliseconds;
  };
}

/** What a config is made of. */
export interface GenerateRequest {
  readonly plan: Pick<RunPlan, 'runId' | 'scenario' | 'expected' | 'clusters'>;
  readonly catalogue: Catalogue;
  readonly role: string;
  readonly prometheus: PrometheusMode;
}

/** Turns a planned scenario into ClusterLoader2's input for one cluster. Same plan, same text. */
export function generateCl2(request: GenerateRequest): Cl2Job {
  const { plan, prometheus } = request;
  const { scenario, runId } = plan;
  const [workload] = scenario.objects;
  if (workload === undefined) throw new Error(`scenario ${scenario.name} has no workload`);
  const objects: ObjectSetting = { runId, scenario, workload };
  const measured = measurementsOf(request);
  const versions = versionLog();
  const steps = scenario.phases.flatMap((phase: ScenarioPhase) =>
    phaseSteps(phase, {
      ...objects,
      budget: scenario.budget,
      versions,
      ...measured,
      measurementOf: (asked, action) => promMeasurement(asked, action, scenario.verdict.rules),
    }),
  );
  const config = configOf(objects, scenario, steps);
  return {
    config,
    configFile: CONFIG_FILE,
    files: [
      { file: CONFIG_FILE, text: configText(config) },
      serviceTemplate(objects),
      ...versions.seen().map((version) => deploymentTemplate(objects, version)),
    ],
    monitors: prometheus === 'own' ? podMonitorFiles() : [],
    steps,
    expected: expectedOf(config, steps),
    clients: clientsNeeded(config),
    prometheus,
    run: { id: runId, namespaces: namespaceNames(objects), budget: scenario.budget },
  };
}

function configOf(
  { scenario: { short, group }, workload }: ObjectSetting,
  { phases }: Scenario,
  steps: readonly PlannedStep[],
): Cl2Config {
  return {
    name: group,
    namespace: {
      number: workload.namespaces,
      prefix: `ms-${short}`,
      enableExistingNamespaces: true,
      deleteAutomanagedNamespaces: false,
    },
    tuningSets: tuningSets(phases),
    steps: steps.map(({ step }) => step),
  };
}

/** Only what this cluster can show is asked of it: a query that cannot answer costs 15 minutes. */
function measurementsOf({ plan, catalogue, role, prometheus }: GenerateRequest): {
  readonly prometheus: readonly WindowedMeasurement[];
  readonly podStartup: WindowedMeasurement | undefined;
} {
  const own = plan.clusters.find((cluster) => cluster.role === role);
  const impossible = new Set(own?.notApplicable.map(({ id }) => id));
  const all = plan.expected.flatMap(({ id, phase, through, series }) => {
    const spec = catalogue.byId.get(id);
    if (spec === undefined || impossible.has(id)) return [];
    return [{ spec, series, first: phase, last: through }];
  });
  const isStartup = ({ spec }: WindowedMeasurement): boolean => spec.method === 'PodStartupLatency';
  return {
    prometheus: prometheus === 'own' ? all.filter((one) => !isStartup(one)) : [],
    podStartup: all.find(isStartup),
  };
}

/** Remembers every version of the Deployments that a phase asked for: each is a file. */
function versionLog(): { current: DeploymentVersion; seen(): readonly DeploymentVersion[] } {
  const seen = new Map<string, DeploymentVersion>();
  let current: DeploymentVersion = { replicas: 0, restartGeneration: 0 };
  return {
    get current() {
      return current;
    },
    set current(next) {
      current = next;
      seen.set(JSON.stringify(next), next);
    },
    seen: () => [...seen.values()],
  };
}

const CONFIG_FILE = 'config.yaml';
