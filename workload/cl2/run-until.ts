import type { Milliseconds, PerSecond } from '../../model/quantity.js';
import type { ScenarioPhase } from '../../model/scenario-spec.js';
import { ENGINE_ENDED } from '../native/cluster-engine.js';
import type { ActionFailure, ActionReport } from '../native/cluster-engine.js';
import type { Clock } from '../platform/clock.js';
import type { Cl2Job } from './generate.js';
import type { PlannedStep } from './phase-steps.js';
import type { SeenStep, StepWatch } from './step-watch.js';

/** A ClusterLoader2 that runs, by what is followed of it. */
export interface RunningCl2 {
  readonly options: { readonly job: Cl2Job };
  readonly steps: StepWatch;
}

/** Waits until the step of that index has started. Rejects with the signal's reason. */
export async function runUntil(
  { steps }: RunningCl2,
  index: number,
  budget: Milliseconds,
  clock: Clock,
  signal: AbortSignal,
): Promise<'reached' | 'ended' | 'late'> {
  const over = new AbortController();
  const late = clock
    .sleep(budget, AbortSignal.any([signal, over.signal]))
    .then(() => 'late' as const);
  try {
    return await Promise.race([steps.reached(index), late]);
  } finally {
    late.catch(() => undefined);
    over.abort();
  }
}

/** A part of a phase that is waited for. */
export interface PhasePart {
  readonly phase: ScenarioPhase;
  readonly roles: readonly PlannedStep['role'][];
  readonly budget: Milliseconds;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Waits until ClusterLoader2 is beyond these steps of a phase, and says what they came to. */
export async function phaseReport(running: RunningCl2, part: PhasePart): Promise<ActionReport> {
  const { phase, roles, budget, clock, signal } = part;
  const { steps } = running.steps;
  const own = steps.filter(
    ({ planned }) => planned.phase === phase.name && roles.includes(planned.role),
  );
  const next = steps.findIndex(
    ({ planned }, index) =>
      index > steps.indexOf(own[0] ?? NEVER) && WAITING.includes(planned.role),
  );
  // After the last phase nothing waits any more: its end is what is waited for.
  const came = await runUntil(running, next < 0 ? steps.length : next, budget, clock, signal);
  const failure = failureOf(phase, own, came, next < 0, budget);
  return {
    failure,
    ...stimulusOf(running, phase, own),
    steps: own.flatMap(({ planned, duration, errors }) =>
      duration === undefined ? [] : [{ title: planned.step.name, duration, failures: errors }],
    ),
  };
}

/** The gate could not be opened. */
export function gateFailure(text: string): ActionFailure {
  return {
    cause: 'infrastructure',
    code: 'gate-stuck',
    text: `ClusterLoader2 could not be told to go on: ${text}`,
    next: 'meshscale preflight says what is wrong with this cluster',
  };
}

function failureOf(
  { name }: ScenarioPhase,
  own: readonly SeenStep[],
  came: 'reached' | 'ended' | 'late',
  isLast: boolean,
  budget: Milliseconds,
): ActionFailure | undefined {
  const errors = own.flatMap(({ planned, errors: texts }) =>
    texts.map((text) => `${planned.step.name}: ${text}`),
  );
  if (errors.length > 0) {
    return {
      cause: 'workload-failed',
      code: 'steps-failed',
      text: `phase ${name}: ${errors.join('; ')}`,
      next: 'look at the events of the Deployments of this run, and at engine.log',
    };
  }
  if (came === 'late') {
    const at = own.filter(({ duration }) => duration === undefined)[0]?.planned.step.name ?? name;
    const seconds = Math.round(budget / 1_000);
    return {
      cause: 'workload-failed',
      code: 'phase-timeout',
      text: `phase ${name}: ClusterLoader2 is still in "${at}" after ${seconds} s`,
      next: 'read engine.log of this attempt, or give the phase more time',
    };
  }
  // How it ended is for its report to tell; before its last phase it may not.
  return came === 'ended' && !isLast ? ENDED : undefined;
}

const ENDED: ActionFailure = {
  cause: 'infrastructure',
  code: ENGINE_ENDED,
  text: 'ClusterLoader2 ended before its phases were over',
};

/**
 * Achieved, by ClusterLoader2's own clock and in the native engine's meaning: from the first to the
 * last one, where the answer to the last may take {@link ANSWER_TIME}. The paced step also sleeps
 * once more after its last action.
 */
function stimulusOf(
  { options }: RunningCl2,
  { rate }: ScenarioPhase,
  own: readonly SeenStep[],
): Pick<ActionReport, 'stimulus'> {
  if (rate === undefined) return {};
  const rates = own.flatMap(({ planned, duration }) => {
    if (planned.role !== 'load' || !('phases' in planned.step)) return [];
    const [{ namespaceRange, replicasPerNamespace }] = planned.step.phases;
    const { deploymentsPerNamespace } = workloadOf(options.job);
    const count = (replicasPerNamespace || deploymentsPerNamespace) * namespaceRange.max;
    return [duration === undefined ? null : achievedRate(count, rate, duration)];
  });
  if (rates.length === 0) return {};
  const achieved = rates.includes(null) ? null : Math.min(...rates.map((one) => one ?? 0));
  return { stimulus: { asked: rate, achieved, unit: 'deployments/s' } };
}

function achievedRate(count: number, asked: PerSecond, duration: Milliseconds): PerSecond {
  if (count < 2) return asked;
  const planned = ((count - 1) * 1_000) / asked;
  const span = Math.max(planned, duration - 1_000 / asked - ANSWER_TIME);
  return ((count - 1) * 1_000) / span;
}

/** As in the native engine: a busy API server may take this long for one answer. */
const ANSWER_TIME: Milliseconds = 1_000;

/** How many there are before a step that removes all of them. */
function workloadOf({ config }: Cl2Job): { readonly deploymentsPerNamespace: number } {
  const counts = config.steps.flatMap((step) =>
    'phases' in step ? step.phases.map(({ replicasPerNamespace }) => replicasPerNamespace) : [],
  );
  return { deploymentsPerNamespace: Math.max(0, ...counts) };
}

/** Steps at which it waits for us. */
const WAITING: readonly PlannedStep['role'][] = ['gate', 'end-gate'];
const NEVER: SeenStep = {
  planned: { step: { name: '', measurements: [] }, phase: '', role: 'gate' },
  name: '',
  duration: undefined,
  errors: [],
};
