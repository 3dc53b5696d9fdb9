import type { Milliseconds } from '../../../model/quantity.js';

/** What a Job of ClusterLoader2 is made with. */
export interface JobSettings {
  /** Has ClusterLoader2 as its entry point, or at `command`. */
  readonly image: string;
  /** @default - the entry point of the image */
  readonly command?: string | undefined;
  /** Has a shell and `tar`. @default - `image` */
  readonly helperImage?: string | undefined;
  readonly resources: JobResources;
  readonly nodeSelector: Readonly<Record<string, string>>;
  /** `CL2_PROMETHEUS_…` and the like. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Kubernetes quantities. */
export interface JobResources {
  cpu: string;
  memory: string;
  memoryLimit: string;
}

/** Ours, for up to 100 nodes and 5000 objects. @see data/clusterloader2.md §6.4 */
export const DEFAULT_RESOURCES: JobResources = {
  cpu: '500m',
  memory: '512Mi',
  memoryLimit: '2Gi',
};

/** How long a state may last that may pass by itself. */
export interface JobBudgets {
  /** Until the Job has a pod. */
  readonly podMade: Milliseconds;
  /** Until a node takes it: an autoscaler needs minutes for one. */
  readonly scheduled: Milliseconds;
  /** From the first failed pull on: a registry may be busy. */
  readonly pulled: Milliseconds;
  /** From being scheduled to running, with the time for the pull itself. */
  readonly started: Milliseconds;
  /** Without any answer from the API server. */
  readonly silent: Milliseconds;
  /** For bringing the report here. */
  readonly fetched: Milliseconds;
}

/** Ours. */
export const JOB_BUDGETS: JobBudgets = {
  podMade: 60_000,
  scheduled: 300_000,
  pulled: 120_000,
  started: 300_000,
  silent: 180_000,
  fetched: 300_000,
};

/** The places inside of the pod. */
export const POD_PLACES = {
  input: '/meshscale/input',
  results: '/meshscale/results',
  /** Inside of `results`. */
  report: 'report',
} as const;

/** Where a Job stands with all that it needs: a namespace that no scenario uses. */
export const JOB_NAMESPACE = 'meshscale-cl2';
/** The ServiceAccount, and the names of what is bound to it. */
export const JOB_ACCOUNT = 'clusterloader2';
/** The container of ClusterLoader2 itself. */
export const ENGINE_CONTAINER = 'clusterloader2';
/** The container that keeps the results until they are fetched. */
export const HELPER_CONTAINER = 'results';
