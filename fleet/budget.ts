import type { Milliseconds } from '../model/quantity.js';
import type { FleetClock } from './ports.js';

/** The time that a deed may take, counted by the monotonic clock from when it was started. */
export interface Budget {
  remaining(): Milliseconds;
  elapsed(): Milliseconds;
  spent(): boolean;
}

/** Starts a budget now. */
export function startBudget(clock: FleetClock, total: Milliseconds): Budget {
  const start = clock.monoNs();
  const elapsed = (): Milliseconds => Number(clock.monoNs() - start) / 1e6;
  return {
    elapsed,
    remaining: () => Math.max(0, total - elapsed()),
    spent: () => elapsed() >= total,
  };
}

/** Sleeps, but never beyond the end of the budget. */
export async function sleepWithin(
  budget: Budget,
  duration: Milliseconds,
  { clock, signal }: { readonly clock: FleetClock; readonly signal: AbortSignal },
): Promise<void> {
  await clock.sleep(Math.min(duration, budget.remaining()), signal);
}
