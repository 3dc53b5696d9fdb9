import type { AttemptEnding, ReplacedPods, Stimulus } from '../../model/attempt-outcome.js';
import type { Milliseconds } from '../../model/quantity.js';
import type { Scenario, ScenarioPhase } from '../../model/scenario-spec.js';
import { userErrorsOf } from '../../model/user-error.js';
import { ENGINE_ENDED } from '../native/cluster-engine.js';
import type { ActionFailure, ActionReport, ClusterEngine } from '../native/cluster-engine.js';
import { millisecondsBetween, type Clock } from '../platform/clock.js';
import type { Progress } from '../platform/progress.js';
import { abortable } from './abortable.js';
import type { AttemptRecord, PhaseRecord, StepRecord } from './attempt-record.js';
import type { PhaseSync } from './phase-sync.js';

/** What one execution on one cluster works with. */
export interface AttemptSetting {
  readonly role: string;
  readonly attempt: number;
  readonly scenario: Scenario;
  readonly engine: ClusterEngine;
  readonly sync: PhaseSync;
  readonly clock: Clock;
  readonly progress: Progress;
  /** Monotonic end of the scenario's budget. */
  readonly deadlineNs: bigint;
  /** Aborts when the user interrupts, when the cluster is lost, and when the budget is over. */
  readonly signal: AbortSignal;
  /** What an abort means; undefined for an abort that is nobody's. */
  endingOfAbort(): AttemptEnding | undefined;
  /** Whether a cluster that failed before its first phase may have another attempt. @default - it has none */
  readonly mayComeBack?: (ending: AttemptEnding) => boolean;
  /** A line for the attempt's own log. */
  readonly log: (line: string) => void;
}

/**
 * Runs the phases of a scenario on one cluster. Never rejects for what happens there: a cluster that
 * fails leaves the barriers, so that it holds nobody, and its failure is in the record. One that may
 * come back with another attempt keeps its place; whoever decides about that takes it out.
 */
export async function runAttempt(setting: AttemptSetting): Promise<AttemptRecord> {
  const { role, attempt, clock, engine, signal, sync } = setting;
  const draft: Draft = { phases: [], stimuli: [], replaced: [], steps: [] };
  const startedAt = clock.now();
  let ending: AttemptEnding;
  try {
    const failure = await engine.start(signal);
    ending = failure === undefined ? await runPhases(setting, draft) : failed(failure);
  } catch (error) {
    ending = endingOf(error, setting);
  }
  const comesBack = draft.phases.length === 0 && setting.mayComeBack?.(ending) === true;
  if (!comesBack) sync.leave(role);
  ending = await concluded(setting, ending);
  if (ending.state === 'failed') {
    setting.log(`failed: ${ending.code}: ${ending.text}`);
    setting.progress.report({ subject: role, state: 'failed', text: ending.text });
  }
  return { cluster: role, attempt, startedAt, endedAt: clock.now(), ending, ...draft };
}

/**
 * An engine that runs by itself may know better why it ended than the phase that it left, and may
 * have failed after its last phase.
 */
async function concluded(
  { engine, signal }: AttemptSetting,
  ending: AttemptEnding,
): Promise<AttemptEnding> {
  const overtime = ending.state === 'failed' && ending.code === 'budget-exceeded';
  const stop = overtime ? 'budget' : signal.aborted ? 'interruption' : undefined;
  const failure = await engine.conclude?.(stop, signal);
  if (failure === undefined) return ending;
  const unexplained = ending.state === 'failed' && ending.code === ENGINE_ENDED;
  return ending.state === 'finished' || unexplained ? failed(failure) : ending;
}

interface Draft {
  readonly phases: PhaseRecord[];
  readonly stimuli: Stimulus[];
  readonly replaced: ReplacedPods[];
  readonly steps: StepRecord[];
}

async function runPhases(setting: AttemptSetting, draft: Draft): Promise<AttemptEnding> {
  for (const phase of setting.scenario.phases) {
    const failure = await runPhase(setting, phase, draft);
    if (failure !== undefined) return failed(failure);
  }
  return { state: 'finished' };
}

async function runPhase(
  setting: AttemptSetting,
  phase: ScenarioPhase,
  draft: Draft,
): Promise<ActionFailure | undefined> {
  const { role, clock, progress, signal, sync } = setting;
  if (phase.sync === 'barrier') {
    progress.report({ subject: role, state: 'running', text: `${phase.name}: waiting for all` });
  }
  const { lag } = await sync.begin(phase, role, signal);
  const [startedAt, startNs] = [clock.now(), clock.monoNs()];
  progress.report({ subject: role, state: 'running', text: phaseText(phase) });
  setting.log(`phase ${phase.name} begins`);
  const index = draft.phases.length;
  const end = (): void => {
    const { name, kind } = phase;
    draft.phases[index] = { name, kind, startedAt, endedAt: clock.now(), lag };
  };
  try {
    const report = await setting.engine.act(phase, budgetOf(setting, phase), signal);
    takeReport(phase, report, draft, setting);
    if (report.failure !== undefined) return report.failure;
    const rest = (phase.duration ?? 0) - millisecondsBetween(startNs, clock.monoNs());
    if (rest > 0) await clock.sleep(rest, signal);
    await abortable(sync.probesOf(phase), signal);
    const closed = await setting.engine.closePhase?.(phase, budgetLeft(setting), signal);
    if (closed !== undefined) takeReport(phase, closed, draft, setting);
    if (closed?.failure !== undefined) return closed.failure;
  } finally {
    end();
    await sync.end(phase, role);
  }
  return undefined;
}

function takeReport(
  { name }: ScenarioPhase,
  { stimulus, replaced, steps }: ActionReport,
  draft: Draft,
  { log }: AttemptSetting,
): void {
  if (stimulus !== undefined) draft.stimuli.push({ phase: name, ...stimulus });
  if (replaced !== undefined) draft.replaced.push({ phase: name, ...replaced });
  draft.steps.push(...steps);
  for (const { title, duration, failures } of steps) {
    log(
      `${title}: ${Math.round(duration)} ms${(failures ?? []).map((one) => `: ${one}`).join('')}`,
    );
  }
}

/** A phase's own time, and never more than what is left of the scenario's. */
function budgetOf(setting: AttemptSetting, { timeout }: ScenarioPhase): Milliseconds {
  const left = budgetLeft(setting);
  return Math.min(timeout ?? left, left);
}

function budgetLeft({ clock, deadlineNs }: AttemptSetting): Milliseconds {
  return Math.max(0, millisecondsBetween(clock.monoNs(), deadlineNs));
}

function phaseText({ name, action, rate }: ScenarioPhase): string {
  if (action.kind === 'none') return name;
  const pace = rate === undefined ? '' : ` at ${rate}/s`;
  return `${name}: ${action.kind}${pace}`;
}

function endingOf(error: unknown, setting: AttemptSetting): AttemptEnding {
  if (setting.signal.aborted) {
    const ending = setting.endingOfAbort();
    if (ending !== undefined) return ending;
  }
  const [known] = userErrorsOf(error);
  if (known === undefined) throw error;
  const { code, problem, given, next } = known;
  const text = given === undefined ? problem : `${problem}: ${given}`;
  return failed({ cause: 'infrastructure', code: code.split('/').at(-1) ?? code, text, next });
}

function failed(failure: ActionFailure): AttemptEnding {
  return { state: 'failed', ...failure };
}
