import type { DelaySource } from '../../local/links/delayed-pipe.js';

/** Delays that pass when the test says so. */
export interface VirtualDelays extends DelaySource {
  /** Moves on and calls back what is due, in order. */
  advance(milliseconds: number): void;
  /** How many wait now. */
  pending(): number;
}

export function createVirtualDelays(): VirtualDelays {
  let now = 0;
  let waiting: { readonly at: number; readonly callback: () => void }[] = [];
  return {
    now: () => now,
    pending: () => waiting.length,
    after: (delay, callback) => {
      waiting.push({ at: now + delay, callback });
    },
    advance: (milliseconds) => {
      const until = now + milliseconds;
      for (;;) {
        const next = waiting.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        waiting = waiting.filter((one) => one !== next);
        now = next.at;
        next.callback();
      }
      now = until;
    },
  };
}
