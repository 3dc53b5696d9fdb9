import type { Milliseconds } from '../../model/quantity.js';
import type { Inventory, InventoryCluster } from '../../model/inventory.js';
import type { ScenarioPhase } from '../../model/scenario-spec.js';
import type { KubeClient } from '../kube/kube-client.js';
import { createNamespaces } from '../native/actions.js';
import type {
  ActionFailure,
  ActionReport,
  ClusterEngine,
  EngineFindings,
  StopReason,
} from '../native/cluster-engine.js';
import { workloadSelector, type ObjectSetting } from '../native/objects.js';
import { writeReport } from '../native/reports.js';
import { watchWorkload, type WorkloadWatch } from '../native/workload-watch.js';
import type { Clock } from '../platform/clock.js';
import type { Cl2Execution, Cl2Executor } from './executors/executor.js';
import { createGateControl, type GateControl } from './gate-control.js';
import type { Cl2Job } from './generate.js';
import { secretsOf } from './kubeconfig-of.js';
import { createLogSink } from './log-sink.js';
import { createLogTail, type LogTail } from './log-tail.js';
import { failureOf } from './outcome-failure.js';
import type { Cl2Outcome } from '../../model/cl2-outcome.js';
import type { ReadCl2Report } from './outcome.js';
import { concludeRun } from './conclude-run.js';
import { gateFailure, phaseReport, runUntil, type RunningCl2 } from './run-until.js';
import { createStepWatch, type StepWatch } from './step-watch.js';

/** What ClusterLoader2 needs on one cluster. */
export interface Cl2EngineOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly cluster: InventoryCluster;
  readonly target: Inventory['target'];
  readonly objects: ObjectSetting;
  readonly job: Cl2Job;
  readonly executor: Cl2Executor;
  /** Folders: its input, its report, and one that is private to us. */
  readonly places: { readonly input: string; readonly report: string; readonly secret: string };
  readonly readReport: ReadCl2Report;
  /** A line for the attempt's log. */
  readonly log: (line: string) => void;
  /** Told once, when it is known how ClusterLoader2 ended. */
  readonly onOutcome: (outcome: Cl2Outcome) => void;
}

/**
 * ClusterLoader2 as an engine. It runs the whole scenario in one process; a gate before each phase
 * lets the runner say when it goes on, so that barriers, durations and probes are the runner's as with
 * the native engine. What it did is read from the markers in its log.
 */
export function createCl2Engine(options: Cl2EngineOptions): ClusterEngine {
  const { client, clock, objects } = options;
  const stopped = new AbortController();
  const selector = workloadSelector(objects);
  const state: EngineState = {
    options,
    // Evidence of our own: which pods were replaced is not in ClusterLoader2's files.
    watch: watchWorkload({ client, clock, selector, signal: stopped.signal }),
    gates: createGateControl({ client, clock, objects }),
    steps: createStepWatch(options.job.steps),
    tail: createLogTail(),
    execution: undefined,
    outcome: undefined,
  };
  return {
    start: (signal) => start(state, signal),
    act: (phase, budget, signal) => act(state, phase, budget, signal),
    closePhase: (phase, budget, signal) => closePhase(state, phase, budget, signal),
    conclude: (stop, signal) => conclude(state, stop, signal),
    findings: () => NO_FINDINGS,
    stop: () => {
      stopped.abort(new Error('the engine was stopped'));
    },
  };
}

interface EngineState extends RunningCl2 {
  readonly options: Cl2EngineOptions;
  readonly watch: WorkloadWatch;
  readonly gates: GateControl;
  readonly steps: StepWatch;
  readonly tail: LogTail;
  execution: Cl2Execution | undefined;
  outcome: Cl2Outcome | undefined;
}

async function start(state: EngineState, signal: AbortSignal): Promise<ActionFailure | undefined> {
  const { options, gates } = state;
  const namespaces = await createNamespaces(options, signal);
  const made = writeReport('create namespaces', namespaces);
  if (made.failure !== undefined) return made.failure;
  const service = await gates.create(signal);
  if (!service.ok) return gateFailure(service.text);
  const failure = await launch(state);
  if (failure !== undefined) return failure;
  const budget = options.job.prometheus === 'own' ? OWN_PROMETHEUS_BUDGET : START_BUDGET;
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

async function launch(state: EngineState): Promise<ActionFailure | undefined> {
  const { options, steps, tail } = state;
  const { cluster, target, job, places, client, executor } = options;
  const secrets = secretsOf(client.access);
  const sink = createLogSink({ secrets, write: options.log });
  const onLine = (line: string): void => {
    const text = sink.take(line);
    if (text === undefined) return;
    tail.take(text);
    steps.take(text);
  };
  const started = await executor({
    ...places,
    ...{ job, cluster, target, onLine },
    access: client.access,
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

async function act(
  state: EngineState,
  phase: ScenarioPhase,
  budget: Milliseconds,
  signal: AbortSignal,
): Promise<ActionReport> {
  const { options, watch, gates } = state;
  const before = watch.state.runningPods();
  const opened = await gates.open([phase.name], signal);
  if (!opened.ok) return { steps: [], failure: gateFailure(opened.text) };
  const report = await phaseReport(state, {
    phase,
    roles: ['gate', 'start', 'load', 'wait'],
    // Its own waits end with the phase's budget; it then still has to say so.
    budget: budget + SAY_SO,
    clock: options.clock,
    signal,
  });
  if (phase.action.kind !== 'restart') return report;
  const fresh = [...watch.state.runningPods()].filter((uid) => !before.has(uid)).length;
  const gone = [...before].filter((uid) => !watch.state.hasPod(uid)).length;
  const { times } = phase.action;
  // Of several restarts only the last one's pods can still be seen: each counts once.
  const replaced = { expected: before.size * times, replaced: Math.min(gone, fresh) * times };
  return { ...report, replaced };
}

async function closePhase(
  state: EngineState,
  phase: ScenarioPhase,
  budget: Milliseconds,
  signal: AbortSignal,
): Promise<ActionReport> {
  const { options, gates } = state;
  const has = options.job.steps.some(
    ({ role, phase: name }) => role === 'end-gate' && name === phase.name,
  );
  if (!has) return { steps: [] };
  const opened = await gates.open([`${phase.name}-end`], signal);
  if (!opened.ok) return { steps: [], failure: gateFailure(opened.text) };
  const { clock } = options;
  return await phaseReport(state, {
    phase,
    roles: ['end-gate', 'gather'],
    budget,
    clock,
    signal,
  });
}

/** Waits for its end, ends it if need be, and reads how it ended. */
async function conclude(
  state: EngineState,
  stop: StopReason | undefined,
  signal: AbortSignal,
): Promise<ActionFailure | undefined> {
  const { execution, options, gates, steps, tail } = state;
  if (execution === undefined) return undefined;
  if (state.outcome === undefined) {
    const { job, places, readReport, clock } = options;
    state.outcome = await concludeRun({
      ...{ execution, job, gates, steps, clock, stop, signal, readReport },
      report: places.report,
      log: tail.text,
    });
    options.onOutcome(state.outcome);
    options.log(`ClusterLoader2 ended: ${JSON.stringify(state.outcome)}`);
  }
  return failureOf(state.outcome);
}

const ENDED_EARLY: ActionFailure = {
  cause: 'workload-failed',
  code: 'half-report',
  text: 'ClusterLoader2 ended before its first step and says that all is well',
};

/** Its quantiles are in its own files. */
const NO_FINDINGS: EngineFindings = {
  podStartup: { all: [], stateless: [], stateful: [] },
  remarks: [],
};

/** Ours: without a Prometheus it needs about a second to its first step. */
const START_BUDGET: Milliseconds = 120_000;
/** Its own bound for Prometheus is 15 min, and images are pulled before. */
const OWN_PROMETHEUS_BUDGET: Milliseconds = 20 * 60_000;
/** Ours: it looks at its pods every 5 s. */
const SAY_SO: Milliseconds = 15_000;
