import { errorCatalogue } from '../../../model/error-catalogue.js';
import { durationText, type Milliseconds } from '../../../model/quantity.js';
import type { UserError } from '../../../model/user-error.js';

/** What can go wrong with a ClusterLoader2 that does not run as a process on this machine. */
export const executorErrors = errorCatalogue({
  'cl2/no-image': {
    exit: 'bad-input',
    meaning: 'ClusterLoader2 is to run in a container, and no image was named.',
  },
  'cl2/input-too-large': {
    exit: 'bad-input',
    meaning: 'A file of the config is larger than a ConfigMap can be.',
  },
  'cl2/job-namespace-taken': {
    exit: 'busy',
    meaning: 'The namespace of the Job is there already and is not of this run.',
  },
  'cl2/job-refused': {
    exit: 'infrastructure',
    meaning: 'The API server does not let us make what the Job needs.',
  },
  'cl2/job-deadline': {
    exit: 'infrastructure',
    meaning: 'The Job reached its own deadline; Kubernetes then removes its pod with all results.',
  },
  'cl2/pod-not-made': {
    exit: 'infrastructure',
    meaning: 'No pod was made for the Job of ClusterLoader2.',
  },
  'cl2/pod-not-scheduled': {
    exit: 'infrastructure',
    meaning: 'No node of the cluster takes the pod of ClusterLoader2.',
  },
  'cl2/image-not-pulled': {
    exit: 'infrastructure',
    meaning: 'A node cannot get an image of the Job.',
  },
  'cl2/pod-not-started': {
    exit: 'infrastructure',
    meaning: 'A container of the Job does not start.',
  },
  'cl2/helper-not-started': {
    exit: 'infrastructure',
    meaning: 'The container that keeps the results does not run: its image has no shell.',
  },
  'cl2/pod-evicted': {
    exit: 'infrastructure',
    meaning: 'Kubernetes ended the pod of ClusterLoader2 to help its node or another pod.',
  },
  'cl2/pod-gone': {
    exit: 'infrastructure',
    meaning: 'Somebody or something removed the pod of ClusterLoader2.',
  },
  'cl2/out-of-memory': {
    exit: 'infrastructure',
    meaning: 'ClusterLoader2 needed more memory than its container may have.',
  },
  'cl2/results-not-fetched': {
    exit: 'infrastructure',
    meaning: 'ClusterLoader2 ended, and its report could not be brought here whole.',
  },
  'cl2/cluster-silent': {
    exit: 'infrastructure',
    meaning: 'The API server has not answered for so long that the run on it is given up.',
  },
  'cl2/no-container-engine': {
    exit: 'infrastructure',
    meaning: 'There is no docker or podman that could run a container.',
  },
  'cl2/container-refused': {
    exit: 'infrastructure',
    meaning: 'The container engine does not start the container of ClusterLoader2.',
  },
  'cl2/container-gone': {
    exit: 'infrastructure',
    meaning: 'The container engine does not know the container of ClusterLoader2 any more.',
  },
});

/** No `--cl2-image`. */
export const noImage = (executor: string): UserError =>
  executorErrors.make('cl2/no-image', {
    problem: `--executor ${executor} runs ClusterLoader2 from an image, and none was named`,
    expected: 'an image that has ClusterLoader2 as its entry point, best by its digest',
    next: 'give --cl2-image IMAGE, or set MESHSCALE_CL2_IMAGE',
  });

/** Larger than a ConfigMap. */
export const inputTooLarge = (file: string, size: number, limit: number): UserError =>
  executorErrors.make('cl2/input-too-large', {
    problem: `${file} does not fit into a ConfigMap, and one file cannot be split`,
    given: `${size} bytes`,
    expected: `at most ${limit} bytes for each file`,
    next: 'use fewer phases or restarts in the scenario, or --executor binary',
  });

/** The namespace is somebody's. */
export const jobNamespaceTaken = (role: string, namespace: string, whose: string): UserError =>
  executorErrors.make('cl2/job-namespace-taken', {
    problem: `${role} has the namespace ${namespace} already`,
    given: whose,
    expected: `no namespace ${namespace}, or one of this run`,
    next: 'wait for the other run, or run meshscale cleanup; rename the namespace when it is yours',
  });

/** The API server says no. */
export const jobRefused = (role: string, what: string, answer: string): UserError =>
  executorErrors.make('cl2/job-refused', {
    problem: `${role} does not let us make ${what}`,
    given: answer,
    expected: 'the right to make namespaces, RBAC, ConfigMaps and Jobs, and to read and exec pods',
    next: 'use an administrator of the cluster, or --executor binary, which needs none of these',
  });

/** `activeDeadlineSeconds`. */
export const jobDeadline = (role: string, seconds: number): UserError =>
  executorErrors.make('cl2/job-deadline', {
    problem: `the Job on ${role} was not collected in time, and Kubernetes ended it`,
    given: `activeDeadlineSeconds ${seconds}`,
    next: 'resume a run earlier, or run it again',
  });

/** The Job controller does nothing. */
export const podNotMade = (role: string, waited: Milliseconds, said: string): UserError =>
  executorErrors.make('cl2/pod-not-made', {
    problem: `no pod was made for the Job on ${role} within ${durationText(waited)}`,
    given: said,
    next: 'look at the events of the Job: a quota, an admission webhook or a policy refuses its pod',
  });

/** No node. */
export const podNotScheduled = (role: string, waited: Milliseconds, said: string): UserError =>
  executorErrors.make('cl2/pod-not-scheduled', {
    problem: `no node of ${role} takes the pod of ClusterLoader2 within ${durationText(waited)}`,
    given: said,
    expected: 'a real node (not type=kwok) with room for what --cl2-resources asks',
    next: 'ask for less by --cl2-resources, choose other nodes by --cl2-node-selector, or add a node',
  });

/** No image. */
export const imageNotPulled = (role: string, image: string, said: string): UserError =>
  executorErrors.make('cl2/image-not-pulled', {
    problem: `${role} cannot pull the image ${image}`,
    given: said,
    next: 'correct --cl2-image or --cl2-helper-image, or give the nodes access to the registry',
  });

/** No start. */
export const podNotStarted = (role: string, waited: Milliseconds, said: string): UserError =>
  executorErrors.make('cl2/pod-not-started', {
    problem: `the container of ClusterLoader2 on ${role} does not start within ${durationText(waited)}`,
    given: said,
    next: 'give --cl2-command when the image has no entry point; otherwise look at the events of the pod',
  });

/** No shell. */
export const helperNotStarted = (role: string, image: string, said: string): UserError =>
  executorErrors.make('cl2/helper-not-started', {
    problem: `the container that keeps the results on ${role} does not run`,
    given: `${image}: ${said}`,
    expected: 'an image with sh, sleep, tar, gzip, sha256sum, wc, head and tail',
    next: 'give --cl2-helper-image an image that has them, such as busybox',
  });

/** Eviction, preemption, drain. */
export const podEvicted = (role: string, said: string): UserError =>
  executorErrors.make('cl2/pod-evicted', {
    problem: `the pod of ClusterLoader2 on ${role} was evicted`,
    given: said,
    next: 'ask for what it needs by --cl2-resources, or give it a quiet node by --cl2-node-selector',
  });

/** Removed. */
export const podGone = (role: string, said: string): UserError =>
  executorErrors.make('cl2/pod-gone', {
    problem: `the pod of ClusterLoader2 on ${role} is gone`,
    given: said,
    next: 'look for what removed it: a node that was taken away, a user, a clean-up; then run again',
  });

/** OOMKilled. */
export const outOfMemory = (role: string, limit: string): UserError =>
  executorErrors.make('cl2/out-of-memory', {
    problem: `ClusterLoader2 on ${role} needed more memory than its container may have`,
    given: `a limit of ${limit}`,
    next: 'give it more: --cl2-resources memory=1Gi,memory-limit=4Gi',
  });

/** The tar did not come. */
export const resultsNotFetched = (role: string, said: string): UserError =>
  executorErrors.make('cl2/results-not-fetched', {
    problem: `the report of ClusterLoader2 could not be brought from ${role}`,
    given: said,
    next: 'look whether the API server reaches its nodes (kubectl exec), then run again',
  });

/** No answer for too long. */
export const clusterSilent = (role: string, waited: Milliseconds, said: string): UserError =>
  executorErrors.make('cl2/cluster-silent', {
    problem: `the API server of ${role} has not answered for ${durationText(waited)}`,
    given: said,
    next: 'look at the API server; when it answers again, what runs there is found by resume',
  });

/** Neither docker nor podman. */
export const noContainerEngine = (given: string): UserError =>
  executorErrors.make('cl2/no-container-engine', {
    problem: 'there is no container engine that answers',
    given,
    expected: 'docker or podman on PATH, with its service running',
    next: 'install or start one of them, or use --executor binary or job',
  });

/** `docker run` says no. */
export const containerRefused = (role: string, said: string): UserError =>
  executorErrors.make('cl2/container-refused', {
    problem: `the container for ${role} was not started`,
    given: said,
    next: 'correct --cl2-image, or log in to its registry with the container engine',
  });

/** `docker inspect` finds nothing. */
export const containerGone = (role: string, said: string): UserError =>
  executorErrors.make('cl2/container-gone', {
    problem: `the container for ${role} is gone`,
    given: said,
    next: 'look for what removed it, then run again',
  });
