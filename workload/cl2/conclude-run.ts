import type { Milliseconds } from '../../model/quantity.js';
import type { Clock } from '../platform/clock.js';
import type { StopReason } from '../native/cluster-engine.js';
import { classifyEnding } from './classify-ending.js';
import type { Cl2Execution } from './executors/executor.js';
import type { GateControl } from './gate-control.js';
import type { Cl2Job } from './generate.js';
import type { Cl2Outcome } from '../../model/cl2-outcome.js';
import type { ReadCl2Report } from './outcome.js';
import type { StepWatch } from './step-watch.js';

/** A run that is to come to its end. */
export interface Conclusion {
  readonly execution: Cl2Execution;
  readonly job: Cl2Job;
  readonly gates: GateControl;
  readonly steps: StepWatch;
  readonly report: string;
  readonly readReport: ReadCl2Report;
  readonly log: () => string;
  readonly clock: Clock;
  /** Set: it has to end at once. */
  readonly stop: StopReason | undefined;
  readonly signal: AbortSignal;
}

/**
 * Lets ClusterLoader2 come to its end, because only then it writes `junit.xml`; after a failed phase
 * by opening all gates. Ends it when that takes too long or nobody wants it any more. Never rejects
 * for what happens to it.
 */
export async function concludeRun(conclusion: Conclusion): Promise<Cl2Outcome> {
  const { execution, job, report, readReport, log } = conclusion;
  const stoppedFor = await comeToEnd(conclusion);
  const own = await execution.ended;
  const end = (await execution.collect()) ?? own;
  const { expected } = job;
  return classifyEnding({
    end,
    stoppedFor,
    expected,
    report: await readReport(report),
    log: log(),
  });
}

async function comeToEnd({
  execution,
  job,
  gates,
  clock,
  stop,
  signal,
}: Conclusion): Promise<StopReason | undefined> {
  const over = new AbortController();
  const gone = execution.ended.then(() => 'gone' as const);
  const bound = AbortSignal.any([signal, over.signal]);
  const late = clock.sleep(FINISH_BUDGET, bound).then(
    () => 'budget' as const,
    () => 'interruption' as const,
  );
  try {
    if (stop !== undefined) {
      await execution.stop();
      return stop;
    }
    const all = job.steps.flatMap(({ role, phase }) =>
      role === 'gate' ? [phase] : role === 'end-gate' ? [`${phase}-end`] : [],
    );
    // Who cannot be told to go on is ended below when the time is over.
    const opening = gates.open(all, bound).catch(() => undefined);
    const first = await Promise.race([gone, late]);
    await opening;
    if (first === 'gone') return undefined;
    await execution.stop();
    return first;
  } finally {
    over.abort(new Error('the run has come to its end'));
  }
}

/** Ours: what is left after the last phase takes seconds; after a failed one its waits fail one by one. */
const FINISH_BUDGET: Milliseconds = 120_000;
