import { OBJECT_CONVENTIONS, scenarioNamespace } from '../../model/object-conventions.js';
import type { Scenario, ScenarioWorkload } from '../../model/scenario-spec.js';

/** What the objects of a run are made from. */
export interface ObjectSetting {
  readonly runId: string;
  readonly scenario: Pick<Scenario, 'short' | 'group'>;
  readonly workload: ScenarioWorkload;
}

/** One Deployment of the workload, by its place. */
export interface DeploymentPlace {
  readonly namespace: string;
  readonly name: string;
}

/** Namespaces of a workload, in order. */
export function namespaceNames({ scenario, workload }: ObjectSetting): readonly string[] {
  return Array.from({ length: workload.namespaces }, (_, index) =>
    scenarioNamespace(scenario.short, index + 1),
  );
}

/**
 * Deployments of a workload, one of every namespace in turn: a load then grows in all of them at
 * once, as it does with many teams.
 */
export function deploymentPlaces(setting: ObjectSetting): readonly DeploymentPlace[] {
  const namespaces = namespaceNames(setting);
  const { short } = setting.scenario;
  return Array.from({ length: setting.workload.deploymentsPerNamespace }, (_, index) =>
    namespaces.map((namespace) => ({ namespace, name: `${short}-${index + 1}` })),
  ).flat();
}

/** Labels that clean-up and waits select by. */
export function runLabels({ runId, scenario }: ObjectSetting): Readonly<Record<string, string>> {
  return {
    [OBJECT_CONVENTIONS.managedByLabel]: OBJECT_CONVENTIONS.managedByValue,
    [OBJECT_CONVENTIONS.runLabel]: runId,
    [OBJECT_CONVENTIONS.groupLabel]: scenario.group,
  };
}

/** The selector of this run's own workload; probes are of another group. */
export function workloadSelector(setting: ObjectSetting): string {
  const { runLabel, groupLabel } = OBJECT_CONVENTIONS;
  return `${runLabel}=${setting.runId},${groupLabel}=${setting.scenario.group}`;
}

/** The n-th namespace; the first so many are annotated as global. */
export function namespaceObject(setting: ObjectSetting, name: string, number: number): object {
  const { globalNamespaces, namespaceAnnotations } = setting.workload;
  const annotations = number <= globalNamespaces ? namespaceAnnotations : {};
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels: runLabels(setting), annotations },
  };
}

/** The Service before a Deployment; both carry the same name, unique to the cluster by namespace. */
export function serviceObject(setting: ObjectSetting, place: DeploymentPlace): object {
  const { type, port, annotations } = setting.workload.service;
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: place.name, labels: labelsOf(setting, place), annotations },
    spec: {
      selector: { [OBJECT_CONVENTIONS.nameLabel]: place.name },
      ports: [{ name: 'http', port, protocol: 'TCP' }],
      ...(type === 'headless' ? { clusterIP: 'None' } : {}),
    },
  };
}

/** A Deployment of pods that do nothing. */
export function deploymentObject(setting: ObjectSetting, place: DeploymentPlace): object {
  const { pod, replicasPerDeployment } = setting.workload;
  const labels = labelsOf(setting, place);
  const { image, requests, limits } = pod;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: place.name, labels },
    spec: {
      replicas: replicasPerDeployment,
      selector: { matchLabels: { [OBJECT_CONVENTIONS.nameLabel]: place.name } },
      template: {
        metadata: { labels, annotations: restartAnnotation(0) },
        spec: {
          automountServiceAccountToken: false,
          containers: [{ name: place.name, image, resources: { requests, limits } }],
        },
      },
    },
  };
}

/** The patch that makes every pod of a Deployment anew. */
export function restartPatch(generation: number): object {
  return { spec: { template: { metadata: { annotations: restartAnnotation(generation) } } } };
}

function restartAnnotation(generation: number): Readonly<Record<string, string>> {
  return { [OBJECT_CONVENTIONS.restartGenerationAnnotation]: String(generation) };
}

/** One label set for each Deployment and namespace: Cilium makes an identity of each. */
function labelsOf(setting: ObjectSetting, { name }: DeploymentPlace): Record<string, string> {
  const { nameLabel, appLabel } = OBJECT_CONVENTIONS;
  return { ...runLabels(setting), [nameLabel]: name, [appLabel]: name };
}
