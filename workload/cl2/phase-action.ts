import type { ScenarioPhase } from '../../model/scenario-spec.js';
import { workloadSelector } from '../native/objects.js';
import type { Cl2Object, Cl2Step } from './config-api.js';
import { deploymentTemplate, serviceTemplate, type DeploymentVersion } from './object-templates.js';
import type { PhaseSetting } from './phase-setting.js';
import { tuningSetName, UNPACED } from './tuning-sets.js';

interface ActionStep {
  readonly role: 'load' | 'wait' | 'start';
  readonly step: Cl2Step;
}

/** The steps by which a phase changes the workload and waits for its pods; none for a quiet phase. */
export function phaseAction(
  phase: ScenarioPhase,
  setting: PhaseSetting,
  wait: string,
): readonly ActionStep[] {
  const { name, action, rate } = phase;
  const { versions, workload } = setting;
  const pace = tuningSetName(rate);
  const change = (title: string, id: string, next: DeploymentVersion): readonly ActionStep[] => {
    versions.current = next;
    const objects = [deployment(setting)];
    const steps = objectStep(`${name} ${title}`, setting, full(setting), pace, objects);
    return awaited(setting, `${name}${id}`, wait, steps);
  };
  switch (action.kind) {
    case 'none':
      return [];
    case 'create': {
      versions.current = { replicas: workload.replicasPerDeployment, restartGeneration: 0 };
      // Services first and without a rate, as the native engine does: cluster addresses are handed
      // out one after the other, and would be what a rate of Deployments really measures.
      const services = objectStep(`${name} create services`, setting, full(setting), UNPACED, [
        service(setting),
      ]);
      const created = change('create deployments', '', versions.current);
      return [{ role: 'start', step: services }, ...created];
    }
    case 'restart':
      return Array.from({ length: action.times }, (_, index) => {
        const { replicas, restartGeneration } = versions.current;
        const next = { replicas, restartGeneration: restartGeneration + 1 };
        return change(`restart ${index + 1}`, `-${index + 1}`, next);
      }).flat();
    case 'scale':
      return change('scale', '', { ...versions.current, replicas: action.replicas });
    case 'delete': {
      const objects = [deployment(setting), service(setting)];
      return awaited(setting, name, wait, objectStep(`${name} remove`, setting, 0, pace, objects));
    }
  }
}

/** Start before the change, gather after it: the pair cannot be broken, being made in one place. */
function awaited(
  setting: PhaseSetting,
  id: string,
  wait: string,
  step: Cl2Step,
): readonly ActionStep[] {
  const method = 'WaitForControlledPodsRunning';
  const identifier = `pods-${id}`;
  const start = {
    action: 'start',
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    labelSelector: workloadSelector(setting),
    operationTimeout: wait,
    checkIfPodsAreUpdated: true,
  } as const;
  const gather = { action: 'gather', syncTimeout: wait } as const;
  const title = step.name;
  return [
    {
      role: 'start',
      step: { name: `${title} watch`, measurements: [{ method, identifier, params: start }] },
    },
    { role: 'load', step },
    {
      role: 'wait',
      step: { name: `${title} wait`, measurements: [{ method, identifier, params: gather }] },
    },
  ];
}

function objectStep(
  name: string,
  { workload }: PhaseSetting,
  replicasPerNamespace: number,
  tuningSet: string,
  objectBundle: readonly Cl2Object[],
): Cl2Step {
  const namespaceRange = { min: 1, max: workload.namespaces } as const;
  return { name, phases: [{ namespaceRange, replicasPerNamespace, tuningSet, objectBundle }] };
}

function full({ workload }: PhaseSetting): number {
  return workload.deploymentsPerNamespace;
}

function service(setting: PhaseSetting): Cl2Object {
  const { short } = setting.scenario;
  return { basename: short, objectTemplatePath: serviceTemplate(setting).file };
}

function deployment(setting: PhaseSetting): Cl2Object {
  const { short } = setting.scenario;
  const { file } = deploymentTemplate(setting, setting.versions.current);
  return { basename: short, objectTemplatePath: file };
}
