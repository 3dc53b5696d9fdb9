import type { Milliseconds } from '../../model/quantity.js';

/** What is going to happen, in the order of its time. */
export interface Timeline {
  /** The moment that the service is at. */
  now(): Milliseconds;
  at(when: Milliseconds, happens: () => void): void;
  /** Lets everything happen until `when`. */
  advanceTo(when: Milliseconds): void;
}

/** A timeline that stands at `start`. Nothing happens by itself: each request moves it on. */
export function createTimeline(start: Milliseconds): Timeline {
  let now = start;
  let order = 0;
  const events: { readonly when: Milliseconds; readonly order: number; happens: () => void }[] = [];
  return {
    now: () => now,
    at: (when, happens) => {
      events.push({ when, order: (order += 1), happens });
      events.sort((one, other) => one.when - other.when || one.order - other.order);
    },
    advanceTo: (when) => {
      for (let next = events[0]; next !== undefined && next.when <= when; next = events[0]) {
        events.shift();
        now = Math.max(now, next.when);
        next.happens();
      }
      now = Math.max(now, when);
    },
  };
}
