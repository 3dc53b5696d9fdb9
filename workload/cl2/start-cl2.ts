import type { Milliseconds } from '../../model/quantity.js';
import { createNamespaces } from '../native/actions.js';
import type { ActionFailure } from '../native/cluster-engine.js';
import { runLabels } from '../native/objects.js';
import { writeReport } from '../native/reports.js';
import { conclude } from './conclude.js';
import type { EngineState } from './engine-state.js';
import type { Cl2Launch, Cl2Started } from './executors/executor.js';
import { secretsOf } from './kubeconfig-of.js';
import { createLogSink } from './log-sink.js';
import { claimMonitoring, monitoringTaken } from './monitoring.js';
import { gateFailure, runUntil } from './run-until.js';

/** Makes what ClusterLoader2 runs in and brings it to its first gate. */
export async function startCl2(
  state: EngineState,
  signal: AbortSignal,
): Promise<ActionFailure | undefined> {
  const { options, gates } = state;
  const namespaces = await createNamespaces(options, signal);
  const made = writeReport('create namespaces', namespaces);
  if (made.failure !== undefined) return made.failure;
  const service = await gates.create(signal);
  if (!service.ok) return gateFailure(service.text);
  if (options.job.prometheus === 'own') {
    const taken = await monitoringTaken(options, signal);
    if (taken !== undefined) return taken;
    const claimed = await claimMonitoring(options, runLabels(options.objects), signal);
    if (claimed !== undefined) return claimed;
  }
  return await comeToFirstStep(state, signal);
}

async function comeToFirstStep(
  state: EngineState,
  signal: AbortSignal,
): Promise<ActionFailure | undefined> {
  const { options } = state;
  const failure = await launch(state, signal);
  if (failure !== undefined) return failure;
  const own = options.job.prometheus === 'own' ? OWN_PROMETHEUS_BUDGET : START_BUDGET;
  const budget = own + (options.executor.startBudget ?? 0);
  const came = await runUntil(state, 0, budget, options.clock, signal);
  if (came === 'reached') return undefined;
  if (came === 'ended') return (await conclude(state, undefined, signal)) ?? ENDED_EARLY;
  return {
    cause: 'infrastructure',
    code: 'engine-start-timeout',
    text: `ClusterLoader2 did not come to its first step within ${budget / 1_000} s`,
    next: 'read engine.log of this attempt',
  };
}

async function launch(state: EngineState, signal: AbortSignal): Promise<ActionFailure | undefined> {
  const { options, steps, tail } = state;
  const { cluster, target, job, places, client } = options;
  const secrets = secretsOf(client.access);
  const sink = createLogSink({ secrets, write: options.log });
  const onLine = (line: string): void => {
    const text = sink.take(line);
    if (text === undefined) return;
    tail.take(text);
    steps.take(text);
  };
  const started = await begin(options, {
    ...{ ...places, job, cluster, target, client, onLine, signal },
  });
  if (started.state === 'refused') {
    const { code, problem, given, next } = started.error;
    const text = given === undefined ? problem : `${problem}: ${given}`;
    return { cause: 'infrastructure', code: code.replace('/', '-'), text, next };
  }
  state.execution = started.execution;
  const over = (): void => {
    steps.end();
    sink.close();
  };
  started.execution.ended.then(over, over);
  return undefined;
}

/** A resumed attempt goes on with what its first runner left running. */
async function begin(
  { executor, reattach, log }: EngineState['options'],
  launch: Cl2Launch,
): Promise<Cl2Started> {
  const execution = reattach === true ? await executor.reattach?.(launch) : undefined;
  if (execution === undefined) return await executor.start(launch);
  log('found again: ClusterLoader2 of the earlier runner is still there');
  return { state: 'started', execution };
}

const ENDED_EARLY: ActionFailure = {
  cause: 'workload-failed',
  code: 'half-report',
  text: 'ClusterLoader2 ended before its first step and says that all is well',
};

/** Ours: without a Prometheus it needs about a second to its first step. */
const START_BUDGET: Milliseconds = 120_000;
/** Its own bound for Prometheus is 15 min, and images are pulled before. */
const OWN_PROMETHEUS_BUDGET: Milliseconds = 20 * 60_000;
