import type { Milliseconds } from '../../model/quantity.js';
import { millisecondsBetween, type Clock } from '../../workload/platform/clock.js';

/** Writes a line, unless one about the same subject was written just now. */
export type QuietLog = (subject: string, line: string) => void;

/**
 * One line a subject and period, with the number of those left out: an API server that is down fails
 * thousands of writes, and one line says it.
 */
export function createQuietLog(clock: Clock, log: (line: string) => void): QuietLog {
  const last = new Map<string, { at: bigint; leftOut: number }>();
  return (subject, line) => {
    const now = clock.monoNs();
    const before = last.get(subject);
    if (before !== undefined && millisecondsBetween(before.at, now) < PERIOD) {
      before.leftOut += 1;
      return;
    }
    const leftOut = before?.leftOut ?? 0;
    last.set(subject, { at: now, leftOut: 0 });
    log(leftOut === 0 ? line : `${line} (and ${leftOut} more like it)`);
  };
}

/** Ours: often enough to follow a failure live, rare enough to read. */
const PERIOD: Milliseconds = 5_000;
