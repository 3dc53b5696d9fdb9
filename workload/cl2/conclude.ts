import type { ActionFailure, StopReason } from '../native/cluster-engine.js';
import { concludeRun } from './conclude-run.js';
import type { EngineState } from './engine-state.js';
import { removeMonitoring } from './monitoring.js';
import { failureOf } from './outcome-failure.js';

/** Waits for its end, ends it if need be, and reads how it ended. */
export async function conclude(
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
    await leaveNothing(state);
    options.log(`ClusterLoader2 ended: ${JSON.stringify(state.outcome)}`);
  }
  return failureOf(state.outcome);
}

/** A run that did not come to its end has not removed its stack; the user's own is never there. */
async function leaveNothing({ options, outcome }: EngineState): Promise<void> {
  const ended = outcome?.kind === 'passed' || outcome?.kind === 'violated';
  if (options.job.prometheus !== 'own' || ended) return;
  // Not the run's signal: removing is what an interruption asks for.
  const left = await removeMonitoring(options, new AbortController().signal);
  if (left !== undefined) options.log(`left behind: ${left}`);
}
