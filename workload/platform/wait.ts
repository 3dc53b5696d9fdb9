import type { Milliseconds } from '../../model/quantity.js';
import { millisecondsBetween, type Clock } from './clock.js';

/** What one look at the awaited thing saw. */
export type Look<T> =
  | { readonly state: 'ready'; readonly value: T }
  | { readonly state: 'waiting'; readonly missing: readonly string[] };

/** How a wait ended: with the value, or with what was still missing when the budget ran out. */
export type WaitResult<T> =
  | { readonly state: 'ready'; readonly value: T; readonly elapsed: Milliseconds }
  | {
      readonly state: 'timed-out';
      readonly missing: readonly string[];
      readonly elapsed: Milliseconds;
    };

/** The bounds of a wait. */
export interface WaitBounds {
  readonly clock: Clock;
  readonly budget: Milliseconds;
  readonly period: Milliseconds;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Looks every `period` until the look is ready or `budget` is spent. Always looks at least once, and
 * once more at the very end. The caller turns `timed-out` into a line that says what was missing.
 */
export async function waitFor<T>(
  bounds: WaitBounds,
  look: () => Promise<Look<T>>,
): Promise<WaitResult<T>> {
  const { clock, budget, period, signal } = bounds;
  const start = clock.monoNs();
  for (;;) {
    signal?.throwIfAborted();
    const seen = await look();
    const elapsed = millisecondsBetween(start, clock.monoNs());
    if (seen.state === 'ready') return { state: 'ready', value: seen.value, elapsed };
    if (elapsed >= budget) return { state: 'timed-out', missing: seen.missing, elapsed };
    await clock.sleep(Math.min(period, budget - elapsed), signal);
  }
}
