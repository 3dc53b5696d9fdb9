import type { Milliseconds } from '../model/quantity.js';
import type { Clock } from '../workload/platform/clock.js';
import type { ProcessIdentity, Processes } from '../workload/platform/processes.js';
import { waitFor } from '../workload/platform/wait.js';

/** How long a killed process may take to vanish; only a hung disk or kernel takes longer. */
const VANISH_BUDGET: Milliseconds = 10_000;
const LOOK_PERIOD: Milliseconds = 20;

/** What ending processes needs. */
export interface EndOptions {
  readonly processes: Processes;
  readonly clock: Clock;
  /** Time between asking (SIGTERM) and killing (SIGKILL); 0 kills at once. */
  readonly grace: Milliseconds;
}

/**
 * Ends all these processes side by side and waits until they are gone. Gives those that are still
 * there afterwards. Not interruptible: a half-ended mesh is worse than a second of waiting.
 */
export async function endProcesses<P extends ProcessIdentity>(
  all: readonly P[],
  options: EndOptions,
): Promise<readonly P[]> {
  const { processes, clock, grace } = options;
  const living = (): readonly P[] => all.filter((one) => processes.state(one) !== 'gone');
  const gone = (budget: Milliseconds) =>
    waitFor({ clock, budget, period: LOOK_PERIOD }, () =>
      Promise.resolve(
        living().length === 0
          ? { state: 'ready', value: undefined }
          : { state: 'waiting', missing: living().map((one) => `process ${one.pid}`) },
      ),
    );
  if (grace > 0) {
    // A stopped process does not act on SIGTERM; it would only use up the grace of the others.
    for (const one of living().filter((it) => processes.state(it) === 'running')) {
      processes.signalGroup(one, 'SIGTERM');
    }
    await gone(grace);
  }
  for (const one of living()) processes.signalGroup(one, 'SIGKILL');
  await gone(VANISH_BUDGET);
  return living();
}
