import type { Milliseconds } from '../../model/quantity.js';
import type { Clock } from '../platform/clock.js';

/** The monotonic clock, tied to wall time at one moment. */
export interface AnchoredClock {
  /** Wall time at the anchor, UTC. */
  readonly unixMs: Milliseconds;
  /** The monotonic clock at the anchor. */
  readonly monoNs: bigint;
  /**
   * Nanoseconds since 1970 as a number, as rows have them: differences are those of the monotonic
   * clock, to about 0.3 µs (a double holds no more at this size). 0 when nothing happened.
   */
  ns(monoNs: bigint | undefined): number;
}

/** Ties the clock to wall time now. */
export function anchorClock(clock: Clock): AnchoredClock {
  const unixMs = clock.now();
  const monoNs = clock.monoNs();
  return {
    unixMs,
    monoNs,
    ns: (at) => (at === undefined ? 0 : unixMs * 1e6 + Number(at - monoNs)),
  };
}
