import type { Milliseconds } from '../../model/quantity.js';
import type { Clock } from '../../workload/platform/clock.js';

/** A clock that stands still until it is moved. */
export interface VirtualClock extends Clock {
  /** Moves on, waking sleepers in order and letting each one's work settle before the next. */
  advance(duration: Milliseconds): Promise<void>;
  /** How many sleep now. */
  sleepers(): number;
}

interface Sleeper {
  readonly at: Milliseconds;
  readonly wake: () => void;
}

/** A clock at `start` (UTC milliseconds). */
export function createVirtualClock(start: Milliseconds = 1_700_000_000_000): VirtualClock {
  const sleepers = new Set<Sleeper>();
  let elapsed = 0;
  const next = (until: Milliseconds): Sleeper | undefined =>
    [...sleepers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
  return {
    now: () => start + elapsed,
    monoNs: () => BigInt(Math.round(elapsed * 1e6)),
    sleepers: () => sleepers.size,
    sleep: (duration, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) {
          reject(reasonOf(signal));
          return;
        }
        const onAbort = (): void => {
          sleepers.delete(sleeper);
          reject(reasonOf(signal));
        };
        const sleeper: Sleeper = {
          at: elapsed + duration,
          wake: () => {
            signal?.removeEventListener('abort', onAbort);
            resolve();
          },
        };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', onAbort, { once: true });
      }),
    advance: async (duration) => {
      const until = elapsed + duration;
      await settled();
      for (let sleeper = next(until); sleeper !== undefined; sleeper = next(until)) {
        sleepers.delete(sleeper);
        elapsed = Math.max(elapsed, sleeper.at);
        sleeper.wake();
        await settled();
      }
      elapsed = until;
    },
  };
}

/** Lets everything that needs no time come to rest: promises and immediates, several rounds of both. */
export async function settled(rounds = 20): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
}

function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new Error('aborted');
}
