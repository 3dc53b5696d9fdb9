import type { Milliseconds } from '../../model/quantity.js';
import type { KubeAnswer } from '../kube/kube-client.js';
import type { Clock } from '../platform/clock.js';

/** How a write ended: with the API server's answer, or with why it was given up. */
export type WriteResult =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly status: number; readonly text: string };

/** The bounds of a write. */
export interface WriteBounds {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Sends a write until the API server takes or refuses it. No answer, 429 and 5xx are tried again with
 * growing pauses, up to {@link MOST_TRIES} times: the deed may have been done by one whose answer
 * was lost, so `send` has to be repeatable, and `accept` may turn a refusal into a success.
 */
export async function writeObject(
  { clock, signal }: WriteBounds,
  send: () => Promise<KubeAnswer>,
  accept: (answer: KubeAnswer & { ok: false }) => boolean = () => false,
): Promise<WriteResult> {
  let pause = FIRST_PAUSE;
  for (let tries = 1; ; tries += 1) {
    signal.throwIfAborted();
    const answer = await send();
    if (answer.ok) return { ok: true, body: answer.body };
    if (accept(answer)) return { ok: true, body: undefined };
    signal.throwIfAborted();
    if (!isPassing(answer.status) || tries === MOST_TRIES) {
      const text = `${answer.status === 0 ? 'no answer' : answer.status} ${answer.reason}: ${answer.message}`;
      return { ok: false, status: answer.status, text };
    }
    await clock.sleep(answer.retryAfter ?? pause, signal);
    pause = Math.min(LONGEST_PAUSE, pause * 2);
  }
}

/** No answer, too many requests, or a server that is not well just now. */
function isPassing(status: number): boolean {
  return status === 0 || status === 429 || status >= 500;
}

/** Ours: a restarted local API server is back after 4 to 7 s; all pauses together are about 11 s. */
const MOST_TRIES = 8;
const FIRST_PAUSE: Milliseconds = 100;
const LONGEST_PAUSE: Milliseconds = 5_000;
