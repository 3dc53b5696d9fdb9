import type { Milliseconds } from '../../../model/quantity.js';
import type { KubeAccess, KubeClient } from '../../kube/kube-client.js';
import type { PodStreams } from '../../kube/pod-streams.js';
import { isOfRun } from '../../native/ownership.js';
import type { Clock } from '../../platform/clock.js';
import { waitFor } from '../../platform/wait.js';
import { resultsNotFetched } from './errors.js';
import type { Cl2End, Cl2Execution, Cl2Executor, Cl2Launch, Cl2Lost } from './executor.js';
import { fetchReport } from './fetch-report.js';
import { followJob } from './follow-job.js';
import { createLogFollower } from './follow-log.js';
import { packInput } from './job-input.js';
import { JOB_PATH, JOB_PODS, jobDeadlineSeconds } from './job-objects.js';
import {
  ENGINE_CONTAINER,
  HELPER_CONTAINER,
  JOB_BUDGETS,
  JOB_NAMESPACE,
  type JobBudgets,
  type JobSettings,
} from './job-settings.js';
import { makeJob } from './make-job.js';
import { takeAway } from './remove-job.js';
import { writeInput } from './write-input.js';
import { viewPod } from './pod-view.js';

/** What Jobs need. */
export interface JobExecutorOptions {
  readonly settings: JobSettings;
  readonly clock: Clock;
  readonly openStreams: (access: KubeAccess, clock: Clock) => PodStreams;
  /** @default {@link JOB_BUDGETS} */
  readonly budgets?: JobBudgets;
}

/**
 * Runs ClusterLoader2 as a Job inside of each cluster: this machine only submits, watches and
 * collects. What it starts outlives its runner, and is found again by its labels.
 */
export function jobExecutor(options: JobExecutorOptions): Cl2Executor {
  const { settings, clock, budgets = JOB_BUDGETS } = options;
  return {
    startBudget: budgets.podMade + budgets.scheduled + budgets.pulled + budgets.started,
    start: async (launch) => {
      const packed = packInput(launch.job);
      // The others are of the same kind, and one that is mended leaves them for the next time.
      if (!packed.ok) return { state: 'refused', error: packed.errors[0] };
      // Not for the Job: so that the run folder shows what it was given.
      await writeInput(launch.job, launch.input);
      const { signal } = launch;
      const { maps } = packed;
      const error = await makeJob({ launch, settings, maps, clock, signal });
      if (error !== undefined) {
        await takeAway(launch.client, clock);
        return { state: 'refused', error };
      }
      return { state: 'started', execution: executionOf(launch, options) };
    },
    reattach: async (launch) => {
      const answer = await launch.client.request('GET', JOB_PATH);
      if (!answer.ok || !isOfRun(answer.body, launch.job.run.id)) return undefined;
      return executionOf(launch, options);
    },
  };
}

function executionOf(launch: Cl2Launch, options: JobExecutorOptions): Cl2Execution {
  const { client, onLine, job, cluster } = launch;
  const { clock, settings, budgets = JOB_BUDGETS } = options;
  const streams = options.openStreams(client.access, clock);
  const stopping = new AbortController();
  const place = { namespace: JOB_NAMESPACE, container: ENGINE_CONTAINER };
  const ended = followJob({
    ...{ client, clock, settings, budgets },
    role: cluster.role,
    deadlineSeconds: jobDeadlineSeconds(job.run.budget),
    log: createLogFollower({ streams, place, clock, onLine }),
    tell: (line) => {
      onLine(`meshscale: ${line}`);
    },
    signal: stopping.signal,
  });
  return {
    ended,
    stop: async () => {
      stopping.abort(new Error('the run was stopped'));
      await takeAway(client, clock);
      await ended;
    },
    collect: async () => {
      try {
        return await collect(launch, streams, await ended, options);
      } finally {
        await streams.close();
      }
    },
  };
}

/** Fetches what there is and takes the Job away; the namespace goes with the run. */
async function collect(
  { client, report, cluster }: Cl2Launch,
  streams: PodStreams,
  end: Cl2End,
  { clock, budgets = JOB_BUDGETS }: JobExecutorOptions,
): Promise<Cl2Lost | undefined> {
  // Not the run's signal: also an interrupted run leaves nothing behind.
  const { signal } = new AbortController();
  const pod = end.state === 'exited' ? await podName(client, clock) : undefined;
  const problem =
    pod === undefined
      ? undefined
      : await fetchReport({
          streams,
          place: { namespace: JOB_NAMESPACE, pod, container: HELPER_CONTAINER },
          folder: report,
          clock,
          budget: budgets.fetched,
          signal,
        });
  await takeAway(client, clock);
  if (end.state !== 'exited') return undefined;
  if (pod !== undefined && problem === undefined) return undefined;
  const text = problem ?? 'its pod is gone';
  return { state: 'lost', error: resultsNotFetched(cluster.role, text), retryable: false };
}

/** Undefined when it is not there any more; a server that is silent just now is asked again. */
async function podName(client: KubeClient, clock: Clock): Promise<string | undefined> {
  const waited = await waitFor({ clock, budget: ASK_AGAIN, period: PERIOD }, async () => {
    const answer = await client.request('GET', JOB_PODS);
    if (!answer.ok) return { state: 'waiting', missing: [answer.message] };
    const view = viewPod(answer.body);
    return { state: 'ready', value: view.state === 'ended' ? view.pod : undefined };
  });
  return waited.state === 'ready' ? waited.value : undefined;
}

const ASK_AGAIN: Milliseconds = 30_000;
const PERIOD: Milliseconds = 1_000;
