import type { Dispatcher } from 'undici';
import type { Milliseconds } from '../../model/quantity.js';
import type { Deadlines } from './deadlines.js';
import { answerOf, noAnswer, stopped } from './kube-answer.js';
import type { KubeAnswer } from './kube-client.js';

/** What ends an exchange before its answer is there. */
export interface ExchangeLimits {
  readonly deadlines: Deadlines;
  readonly timeout: Milliseconds;
  readonly signal?: AbortSignal | undefined;
}

/**
 * One request and its whole answer. Never rejects. It speaks to undici's dispatcher directly: the
 * promise and stream machinery above it would double the client's CPU share at 750 requests a second.
 */
export function exchange(
  pool: Dispatcher,
  request: Dispatcher.DispatchOptions,
  limits: ExchangeLimits,
): Promise<KubeAnswer> {
  const { deadlines, timeout, signal } = limits;
  if (signal?.aborted === true) return Promise.resolve(ABORTED);
  return new Promise((resolve) => {
    const handler = collect((answer) => {
      cancel();
      signal?.removeEventListener('abort', onAbort);
      resolve(answer);
    });
    const onAbort = (): void => {
      handler.stop(ABORTED);
    };
    const cancel = deadlines.after(timeout, () => {
      handler.stop(stopped('Timeout', `no answer within ${timeout} ms`));
    });
    signal?.addEventListener('abort', onAbort);
    try {
      pool.dispatch(request, handler);
    } catch (error) {
      handler.stop(noAnswer(error));
    }
  });
}

const ABORTED = stopped('Aborted', 'the caller stopped waiting');

interface Collector extends Dispatcher.DispatchHandler {
  /** Settles at once; a request still in the queue is dropped when its turn comes. */
  stop(answer: KubeAnswer): void;
}

function collect(onSettled: (answer: KubeAnswer) => void): Collector {
  const chunks: Buffer[] = [];
  let status = 0;
  let json = false;
  let settled = false;
  let controller: Dispatcher.DispatchController | undefined;
  const settle = (answer: KubeAnswer): void => {
    if (settled) return;
    settled = true;
    onSettled(answer);
  };
  return {
    stop: (answer) => {
      settle(answer);
      controller?.abort(STOPPED);
    },
    onRequestStart: (started) => {
      controller = started;
      if (settled) started.abort(STOPPED);
    },
    onResponseStart: (_controller, code, headers) => {
      status = code;
      json = String(headers['content-type']).startsWith('application/json');
    },
    onResponseData: (_controller, chunk) => {
      chunks.push(chunk);
    },
    onResponseEnd: () => {
      settle(answerOf({ status, json, text: Buffer.concat(chunks).toString('utf8') }));
    },
    onResponseError: (_controller, error) => {
      settle(noAnswer(error));
    },
  };
}

const STOPPED = new Error('stopped waiting');
