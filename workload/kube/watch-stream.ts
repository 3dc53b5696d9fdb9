import type { Dispatcher } from 'undici';
import type { Milliseconds } from '../../model/quantity.js';
import type { Deadlines } from './deadlines.js';
import { apiFailure, watchBroken } from './errors.js';
import { createLineSplitter } from './json-lines.js';
import { answerOf, noAnswer, statusBody, stopped } from './kube-answer.js';
import type { KubeAnswer, WatchEnd, WatchHandlers } from './kube-client.js';
import { createEnding, type WatchEnding } from './watch-ending.js';
import { EVENT_TYPES, parseEvent } from './watch-event.js';

/** One watch to open. */
export interface WatchRequest {
  readonly pool: Dispatcher;
  readonly server: string;
  readonly options: Dispatcher.DispatchOptions;
  readonly deadlines: Deadlines;
  /** How long the server may take to accept the watch; afterwards silence is normal. */
  readonly openTimeout: Milliseconds;
  readonly signal: AbortSignal;
}

/**
 * Opens a watch and hands on its events in the very turn in which the bytes arrive. Resolves when
 * the stream has ended; rejects only with what a handler threw.
 */
export function openWatch(request: WatchRequest, handlers: WatchHandlers): Promise<WatchEnd> {
  const { pool, options, deadlines, openTimeout, signal } = request;
  if (signal.aborted) return Promise.resolve({ reason: 'aborted' });
  return new Promise((resolve, reject) => {
    const stream = followStream(request, handlers, () => {
      cancel();
    });
    const onAbort = (): void => {
      stream.finish({ reason: 'aborted' });
    };
    const cancel = deadlines.after(openTimeout, () => {
      stream.fail(stopped('Timeout', `the watch was not accepted within ${openTimeout} ms`));
    });
    signal.addEventListener('abort', onAbort);
    void stream.ended.then(resolve, reject).finally(() => {
      cancel();
      signal.removeEventListener('abort', onAbort);
    });
    try {
      pool.dispatch(options, stream.handler);
    } catch (error) {
      stream.fail(noAnswer(error));
    }
  });
}

interface Stream {
  readonly ended: Promise<WatchEnd>;
  readonly handler: Dispatcher.DispatchHandler;
  readonly finish: (end: WatchEnd) => void;
  readonly fail: (answer: KubeAnswer) => void;
}

function followStream(
  request: WatchRequest,
  handlers: WatchHandlers,
  onAnswer: () => void,
): Stream {
  const ending = createEnding();
  const fail = (answer: KubeAnswer): void => {
    ending.finish(endOf(answer, request));
  };
  const readEvents = eventReader(request, handlers, ending);
  const refusal: Buffer[] = [];
  let status = 0;
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: ending.started,
    onResponseStart: (_controller, code) => {
      status = code;
      onAnswer();
      if (code === 200) ending.guard(() => handlers.onOpen?.());
    },
    onResponseData: (_controller, chunk) => {
      if (status === 200) readEvents(chunk);
      else refusal.push(chunk);
    },
    onResponseEnd: () => {
      if (status === 200) ending.finish({ reason: 'closed' });
      else fail(answerOf({ status, json: true, text: String(Buffer.concat(refusal)) }));
    },
    onResponseError: (_controller, error) => {
      fail(noAnswer(error));
    },
  };
  return { ended: ending.ended, handler, finish: ending.finish, fail };
}

function eventReader(
  request: WatchRequest,
  handlers: WatchHandlers,
  ending: WatchEnding,
): (chunk: Buffer) => void {
  const splitter = createLineSplitter((line) => {
    const end = ending.over() ? undefined : readLine(line, handlers, request);
    if (end !== undefined) ending.finish(end);
  });
  return (chunk) => {
    ending.guard(() => {
      handlers.onBytes?.();
      splitter.push(chunk);
    });
  };
}

function readLine(
  line: string,
  handlers: WatchHandlers,
  request: WatchRequest,
): WatchEnd | undefined {
  const event = parseEvent(line);
  if (event === undefined) {
    return { reason: 'failed', cause: watchBroken(request.server, request.options.path, line) };
  }
  const { object } = event;
  switch (event.type) {
    case 'ERROR':
      return endOf(refusalOf(object), request);
    case 'BOOKMARK':
      handlers.onEvent({
        type: 'bookmark',
        resourceVersion: object.metadata.resourceVersion ?? '',
      });
      return undefined;
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      handlers.onEvent({ type: EVENT_TYPES[event.type], object });
      return undefined;
  }
}

function refusalOf(object: unknown): KubeAnswer {
  const { code = 500, reason = 'Unknown', message = '' } = statusBody(object);
  return { ok: false, status: code, reason, message };
}

function endOf(answer: KubeAnswer, request: WatchRequest): WatchEnd {
  if (answer.ok) return { reason: 'closed' };
  if (answer.status === 410) return { reason: 'expired' };
  if (answer.reason === 'Aborted') return { reason: 'aborted' };
  return { reason: 'failed', cause: apiFailure(request.server, request.options.path, answer) };
}
