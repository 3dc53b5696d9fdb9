import { durationText, type Milliseconds } from '../../model/quantity.js';
import type { ScenarioPhase } from '../../model/scenario-spec.js';
import type { Writes } from './actions.js';
import type { ActionFailure, ActionReport } from './cluster-engine.js';
import type { Awaited } from './workload-watch.js';

/** What a series of writes came to. */
export function writeReport(title: string, writes: Writes): ActionReport {
  const { rate, duration } = writes;
  const failure = writeFailure(title, writes);
  const failures = failure === undefined ? [] : [failure.text];
  return {
    failure,
    ...(rate.asked === null
      ? {}
      : { stimulus: { asked: rate.asked, achieved: rate.achieved, unit: 'deployments/s' } }),
    steps: [{ title, duration, failures }],
  };
}

/** What waiting for a roll-out came to. */
export function rolloutReport(
  title: string,
  awaited: Awaited,
  { name, timeout }: ScenarioPhase,
): ActionReport {
  if (awaited.state === 'ready') {
    return { steps: [{ title, duration: awaited.elapsed }] };
  }
  const within = timeout === undefined ? 'the budget of the run' : durationText(timeout);
  const failure: ActionFailure = {
    cause: 'workload-failed',
    code: 'pods-not-as-wanted',
    text: `phase ${name}: not done within ${within}: ${awaited.missing.join('; ')}`,
    next: `give it more time, with --set operationTimeout=${twice(timeout)} where the scenario has that knob; pods that never come say why in their events`,
  };
  return { failure, steps: [{ title, duration: timeout ?? 0, failures: [failure.text] }] };
}

/** Twice a budget, at least a minute, as a knob takes it. */
function twice(timeout: Milliseconds = 0): string {
  return `${Math.max(1, Math.ceil((2 * timeout) / 60_000))}m`;
}

/**
 * One report for what was done in turn. Rates are those of the weakest part: a phase that once lagged
 * was not loaded as asked. Replaced pods are summed.
 */
export function joinReports(reports: readonly ActionReport[]): ActionReport {
  const stimuli = reports.flatMap(({ stimulus }) => stimulus ?? []);
  const replaced = reports.flatMap((report) => report.replaced ?? []);
  const weakest = [...stimuli].sort((a, b) => (a.achieved ?? 0) - (b.achieved ?? 0))[0];
  return {
    failure: reports.find(({ failure }) => failure !== undefined)?.failure,
    ...(weakest === undefined ? {} : { stimulus: weakest }),
    ...(replaced.length === 0
      ? {}
      : {
          replaced: {
            expected: sum(replaced.map(({ expected }) => expected)),
            replaced: sum(replaced.map((one) => one.replaced)),
          },
        }),
    steps: reports.flatMap(({ steps }) => steps),
  };
}

function writeFailure(title: string, { rate, refusals, taken }: Writes): ActionFailure | undefined {
  const { refused, accepted } = rate;
  if (refused === 0) return undefined;
  const text = `${title}: ${refused} of ${refused + accepted} writes failed: ${refusals.join('; ')}`;
  if (taken) {
    return {
      cause: 'workload-failed',
      code: 'namespace-taken',
      text,
      next: 'meshscale cleanup --all removes what other runs have left',
    };
  }
  if (refusals.every((refusal) => refusal.startsWith('no answer'))) {
    return { cause: 'infrastructure', code: 'api-server-unreachable', text };
  }
  // 5xx on every try: it is there and cannot work, as without its etcd.
  const unwell = refusals.every((refusal) => /^(no answer|5\d\d) /.test(refusal));
  return unwell
    ? { cause: 'infrastructure', code: 'api-server-not-ready', text }
    : { cause: 'workload-failed', code: 'writes-refused', text };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
