import type { FleetClock } from '../../fleet/ports.js';
import type { Milliseconds } from '../../model/quantity.js';

/** A clock that jumps to the next sleeper's time whenever nothing else is going on. */
export interface MovingClock extends FleetClock {
  /** Stands still until the returned function is called: something real is under way. */
  hold(): () => void;
}

/** A time in the recording's year, so that dates look as they do. */
const START = Date.parse('2026-07-13T08:00:00Z');

/**
 * Makes a clock for waits that nobody wants to wait for. `idle` passes a moment of real time; when
 * nothing has happened in it, time moves on. In one process a turn of the event loop is enough.
 */
export function createMovingClock(idle: () => Promise<void>, start = START): MovingClock {
  const sleepers = new Set<{ readonly at: Milliseconds; readonly wake: () => void }>();
  let elapsed = 0;
  let holds = 0;
  let events = 0;
  let moving = false;
  const move = async (): Promise<void> => {
    if (moving) return;
    moving = true;
    while (sleepers.size > 0 && holds === 0) {
      const before = events;
      await idle();
      if (events !== before || holds > 0) continue;
      const [next] = [...sleepers].sort((one, other) => one.at - other.at);
      if (next === undefined) break;
      sleepers.delete(next);
      elapsed = Math.max(elapsed, next.at);
      next.wake();
    }
    moving = false;
  };
  return {
    now: () => start + elapsed,
    monoNs: () => BigInt(Math.round(elapsed * 1e6)),
    hold: () => {
      events += 1;
      holds += 1;
      return () => {
        events += 1;
        holds -= 1;
        void move();
      };
    },
    sleep: (duration, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) {
          reject(reasonOf(signal));
          return;
        }
        events += 1;
        const sleeper = { at: elapsed + Math.max(0, duration), wake: () => wake() };
        const onAbort = (): void => {
          sleepers.delete(sleeper);
          reject(reasonOf(signal));
        };
        const wake = (): void => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        sleepers.add(sleeper);
        void move();
      }),
  };
}

function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new Error('aborted');
}
