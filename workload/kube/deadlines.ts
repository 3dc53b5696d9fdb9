import type { Milliseconds } from '../../model/quantity.js';
import type { Clock } from '../platform/clock.js';

/** Calls back when something takes too long. */
export interface Deadlines {
  /** Calls `onExpired` once, up to {@link PERIOD} late, unless the returned function is called before. */
  after(duration: Milliseconds, onExpired: () => void): () => void;
}

/** How late a deadline may be: ours, small against any budget that a person would write. */
const PERIOD: Milliseconds = 25;

/**
 * One sleeping loop for all deadlines of a client. A timer and an abort signal for each of 750
 * requests a second would cost more than the requests' own bookkeeping. The loop runs only while
 * something is waited for, so it never keeps a finished process alive.
 */
export function createDeadlines(clock: Clock): Deadlines {
  const waiting = new Set<Waiter>();
  let running = false;
  const run = async (): Promise<void> => {
    running = true;
    while (waiting.size > 0) {
      await clock.sleep(PERIOD);
      expire(waiting, clock.monoNs());
    }
    running = false;
  };
  return {
    after: (duration, onExpired) => {
      const waiter = { dueNs: clock.monoNs() + BigInt(Math.round(duration * 1e6)), onExpired };
      waiting.add(waiter);
      if (!running) void run();
      return () => {
        waiting.delete(waiter);
      };
    },
  };
}

interface Waiter {
  readonly dueNs: bigint;
  readonly onExpired: () => void;
}

function expire(waiting: Set<Waiter>, nowNs: bigint): void {
  for (const waiter of waiting) {
    if (waiter.dueNs > nowNs) continue;
    waiting.delete(waiter);
    waiter.onExpired();
  }
}
