import { durationText, type Milliseconds } from '../../model/quantity.js';
import { millisecondsBetween, type Clock } from '../../workload/platform/clock.js';
import type { Progress } from '../../workload/platform/progress.js';

/** What a long deed is called while it lasts. */
export interface Deed {
  readonly subject: string;
  /** `building 3.6.12`. */
  readonly text: string;
  /** @default - not known */
  readonly expected?: Milliseconds;
}

/** At most one line a minute for what does not change (style card, rule 22). */
const PERIOD: Milliseconds = 60_000;

/** Does `work` and tells at its start, once a minute and at its end how long it takes. */
export async function withHeartbeat<T>(
  deed: Deed,
  ports: { readonly clock: Clock; readonly progress: Progress },
  work: () => Promise<T>,
): Promise<T> {
  const { clock, progress } = ports;
  const start = clock.monoNs();
  const tell = (state: 'running' | 'done' | 'failed'): void => {
    const elapsed = millisecondsBetween(start, clock.monoNs());
    progress.report({ subject: deed.subject, state, text: deedText(deed, state, elapsed) });
  };
  const over = new AbortController();
  tell('running');
  const beating = beat(clock, over.signal, () => {
    tell('running');
  });
  try {
    const result = await work();
    tell('done');
    return result;
  } catch (error) {
    tell('failed');
    throw error;
  } finally {
    over.abort();
    await beating;
  }
}

async function beat(clock: Clock, over: AbortSignal, tell: () => void): Promise<void> {
  while (!over.aborted) {
    await clock.sleep(PERIOD, over).then(tell, () => undefined);
  }
}

function deedText(deed: Deed, state: 'running' | 'done' | 'failed', elapsed: Milliseconds): string {
  const { text, expected } = deed;
  if (state === 'done') return `${text} took ${durationText(elapsed)}`;
  if (state === 'failed') return `${text} failed after ${durationText(elapsed)}`;
  const about = expected === undefined ? '' : `, up to about ${durationText(expected)} expected`;
  return elapsed < PERIOD / 2
    ? `${text}${about}`
    : `${text}: ${durationText(elapsed)} so far${about}`;
}
