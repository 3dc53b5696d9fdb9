import type { Milliseconds } from '../../model/quantity.js';
import type { Clock } from '../platform/clock.js';

/** The bounds of waiting for something that tells by itself. */
export interface Within {
  readonly clock: Clock;
  readonly budget: Milliseconds;
  readonly signal: AbortSignal;
}

/** How such a wait ended. */
export type WithinResult = 'done' | 'timed-out' | 'interrupted';

/** Waits for `awaited` at most `budget`. Rejects only when `awaited` does. */
export async function within(
  { clock, budget, signal }: Within,
  awaited: Promise<unknown>,
): Promise<WithinResult> {
  const over = new AbortController();
  const timer = clock.sleep(Math.max(0, budget), AbortSignal.any([signal, over.signal])).then(
    (): WithinResult => 'timed-out',
    (): WithinResult => 'interrupted',
  );
  try {
    return await Promise.race([awaited.then((): WithinResult => 'done'), timer]);
  } finally {
    over.abort();
  }
}
