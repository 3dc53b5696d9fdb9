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
  const time: Time = { sleepers: new Set(), elapsed: 0, holds: 0, events: 0, moving: false };
  const move = (): void => void moveOn(time, idle);
  return {
    now: () => start + time.elapsed,
    monoNs: () => BigInt(Math.round(time.elapsed * 1e6)),
    hold: () => {
      time.events += 1;
      time.holds += 1;
      return () => {
        time.events += 1;
        time.holds -= 1;
        move();
      };
    },
    sleep: (duration, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) {
          reject(reasonOf(signal));
          return;
        }
        const onAbort = (): void => {
          time.sleepers.delete(sleeper);
          reject(reasonOf(signal));
        };
        const sleeper: Sleeper = {
          at: time.elapsed + Math.max(0, duration),
          wake: () => {
            signal?.removeEventListener('abort', onAbort);
            resolve();
          },
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        time.events += 1;
        time.sleepers.add(sleeper);
        move();
      }),
  };
}

interface Sleeper {
  readonly at: Milliseconds;
  readonly wake: () => void;
}

interface Time {
  readonly sleepers: Set<Sleeper>;
  elapsed: Milliseconds;
  holds: number;
  /** Counts whatever happens, to see whether anything did. */
  events: number;
  moving: boolean;
}

/** Wakes one sleeper after the other, each when nothing has happened for a moment. */
async function moveOn(time: Time, idle: () => Promise<void>): Promise<void> {
  if (time.moving) return;
  time.moving = true;
  while (time.sleepers.size > 0 && time.holds === 0) {
    const before = time.events;
    await idle();
    if (time.events !== before) continue;
    const next = earliest(time.sleepers);
    if (next === undefined) continue; // the last one was called off meanwhile
    time.sleepers.delete(next);
    time.elapsed = Math.max(time.elapsed, next.at);
    next.wake();
  }
  time.moving = false;
}

function earliest(sleepers: ReadonlySet<Sleeper>): Sleeper | undefined {
  let first: Sleeper | undefined;
  for (const one of sleepers) if (first === undefined || one.at < first.at) first = one;
  return first;
}

function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new Error('aborted');
}
