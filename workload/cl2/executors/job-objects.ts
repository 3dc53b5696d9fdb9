import { OBJECT_CONVENTIONS } from '../../../model/object-conventions.js';
import type { Inventory, InventoryCluster } from '../../../model/inventory.js';
import type { Milliseconds } from '../../../model/quantity.js';
import { cl2Arguments } from '../arguments.js';
import type { Cl2Job } from '../generate.js';
import { containerEnvironment } from './container-environment.js';
import type { InputFile } from './job-input.js';
import type { NewObject } from './job-rbac.js';
import {
  ENGINE_CONTAINER,
  HELPER_CONTAINER,
  JOB_ACCOUNT,
  JOB_NAMESPACE,
  POD_PLACES,
  type JobSettings,
} from './job-settings.js';

/** Labels by which everything of a run is found; not of the workload's group, which is measured. */
export function jobLabels({ run }: Pick<Cl2Job, 'run'>): Readonly<Record<string, string>> {
  const { managedByLabel, managedByValue, runLabel } = OBJECT_CONVENTIONS;
  return { [managedByLabel]: managedByValue, [runLabel]: run.id };
}

/** The namespace; removed by the clean-up of the run. */
export function jobNamespace(job: Pick<Cl2Job, 'run'>): NewObject {
  return {
    collection: '/api/v1/namespaces',
    body: {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: JOB_NAMESPACE, labels: jobLabels(job) },
    },
  };
}

/** The account, and a ConfigMap for each part of the input. */
export function jobAccountAndInput(
  job: Pick<Cl2Job, 'run'>,
  maps: readonly (readonly InputFile[])[],
): readonly NewObject[] {
  const labels = jobLabels(job);
  const base = `/api/v1/namespaces/${JOB_NAMESPACE}`;
  return [
    {
      collection: `${base}/serviceaccounts`,
      body: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: JOB_ACCOUNT, labels } },
    },
    ...maps.map((files, index) => ({
      collection: `${base}/configmaps`,
      body: {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: mapName(index), labels },
        immutable: true,
        data: Object.fromEntries(files.map(({ key, text }) => [key, text])),
      },
    })),
  ];
}

/** What a Job is made of. */
export interface JobRequest {
  readonly job: Cl2Job;
  readonly cluster: InventoryCluster;
  readonly target: Inventory['target'];
  readonly settings: JobSettings;
  readonly maps: readonly (readonly InputFile[])[];
}

/**
 * The Job. ClusterLoader2 stands in a container of its own, started as its image says, so that the
 * image needs nothing else and its exit code is its own. A second container keeps the pod alive until
 * the report was fetched; without it the files would go with the pod. Nothing is tried again by
 * Kubernetes: what may be repeated is the runner's to say.
 */
export function jobObject(request: JobRequest): NewObject {
  const { job } = request;
  const labels = jobLabels(job);
  return {
    collection: JOBS,
    body: {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: JOB_NAME, labels },
      spec: {
        backoffLimit: 0,
        completions: 1,
        parallelism: 1,
        activeDeadlineSeconds: jobDeadlineSeconds(job.run.budget),
        template: { metadata: { labels }, spec: podSpec(request) },
      },
    },
  };
}

/** There is never a second Job of a run on a cluster. */
const JOB_NAME = 'clusterloader2';
const JOBS = `/apis/batch/v1/namespaces/${JOB_NAMESPACE}/jobs`;

/** The path of the Job. */
export const JOB_PATH = `${JOBS}/${JOB_NAME}`;

/** The path of the pods that were made for it: at most one. */
export const JOB_PODS = `/api/v1/namespaces/${JOB_NAMESPACE}/pods?labelSelector=job-name%3D${JOB_NAME}`;

/** The scenario's budget, the time to start, and an hour in which a resumed run can still fetch. */
export function jobDeadlineSeconds(budget: Milliseconds): number {
  return Math.ceil((budget + START_AND_FETCH) / 1_000);
}

function podSpec(request: JobRequest): object {
  const { settings, maps, job } = request;
  return {
    restartPolicy: 'Never',
    serviceAccountName: JOB_ACCOUNT,
    terminationGracePeriodSeconds: GRACE_SECONDS,
    nodeSelector: { 'kubernetes.io/os': 'linux', ...settings.nodeSelector },
    affinity: { nodeAffinity: REAL_NODES },
    containers: [
      engineContainer(request),
      helperContainer(settings, jobDeadlineSeconds(job.run.budget)),
    ],
    volumes: [
      { name: 'input', projected: { sources: maps.map(projection) } },
      { name: 'results', emptyDir: { sizeLimit: RESULTS_LIMIT } },
    ],
  };
}

function engineContainer({ job, cluster, target, settings }: JobRequest): object {
  const { image, command, resources } = settings;
  const places = {
    config: `${POD_PLACES.input}/${job.configFile}`,
    monitors: `${POD_PLACES.input}/monitors`,
    report: `${POD_PLACES.results}/${POD_PLACES.report}`,
  };
  return {
    name: ENGINE_CONTAINER,
    image,
    ...(command === undefined ? {} : { command: [command] }),
    args: cl2Arguments(job, cluster, target, places),
    env: containerEnvironment(job, settings.settings).map(([name, value]) => ({ name, value })),
    resources: {
      requests: { cpu: resources.cpu, memory: resources.memory },
      limits: { memory: resources.memoryLimit },
    },
    securityContext: HARMLESS,
    volumeMounts: [
      { name: 'input', mountPath: POD_PLACES.input, readOnly: true },
      { name: 'results', mountPath: POD_PLACES.results },
    ],
  };
}

/** It sleeps in the background, so that the shell hears a SIGTERM at once. */
function helperContainer({ image, helperImage = image }: JobSettings, seconds: number): object {
  const script = `trap 'exit 0' TERM INT; sleep ${seconds} & wait $!`;
  return {
    name: HELPER_CONTAINER,
    image: helperImage,
    command: ['sh', '-c', script],
    resources: { requests: { cpu: '10m', memory: '16Mi' }, limits: { memory: '128Mi' } },
    securityContext: HARMLESS,
    volumeMounts: [{ name: 'results', mountPath: POD_PLACES.results }],
  };
}

function projection(files: readonly InputFile[], index: number): object {
  const items = files.map(({ key, path }) => ({ key, path }));
  return { configMap: { name: mapName(index), items } };
}

function mapName(index: number): string {
  return `input-${index + 1}`;
}

/** A pod "runs" on a mock node and does nothing there. @see data/clusterloader2.md §2.6 */
const REAL_NODES = {
  requiredDuringSchedulingIgnoredDuringExecution: {
    nodeSelectorTerms: [
      { matchExpressions: [{ key: 'type', operator: 'NotIn', values: ['kwok'] }] },
    ],
  },
};
const HARMLESS = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  seccompProfile: { type: 'RuntimeDefault' },
};
/** Ours: an hour and a quarter. */
const START_AND_FETCH: Milliseconds = 75 * 60_000;
/** Ours: it writes nothing on SIGTERM and needs no time. */
const GRACE_SECONDS = 30;
/** Ours: a report with its profiles is some tens of MiB. */
const RESULTS_LIMIT = '1Gi';
