import type { Dispatcher } from 'undici';
import type { Milliseconds } from '../../model/quantity.js';
import { deferred } from './deferred.js';
import type { Deadlines } from './deadlines.js';
import { answerOf, noAnswer, stopped } from './kube-answer.js';
import type { KubeAnswer } from './kube-client.js';

/** One answer that is read as it comes. */
export interface ByteRequest {
  readonly pool: Dispatcher;
  readonly options: Dispatcher.DispatchOptions;
  readonly deadlines: Deadlines;
  /** How long the server may be silent, before its answer and in it. */
  readonly silence: Milliseconds;
  readonly signal: AbortSignal;
  readonly onBytes: (chunk: Uint8Array) => void;
}

/** How a stream ended: `closed` by the server at its end, or with what came instead of that. */
export type ByteStreamEnd =
  | { readonly state: 'closed' }
  | {
      readonly state: 'broken';
      /** 0 without an answer. */
      readonly status: number;
      /** As in {@link KubeAnswer}. */
      readonly reason: string;
      readonly text: string;
    };

/** Reads the body of one answer as it comes. Never rejects. */
export function openBytes(request: ByteRequest): Promise<ByteStreamEnd> {
  const { pool, options, signal, silence } = request;
  if (signal.aborted) return Promise.resolve(ABORTED);
  const end = deferred<ByteStreamEnd>();
  const state: StreamState = {
    status: 0,
    refusal: [],
    controller: undefined,
    cancel: () => undefined,
  };
  const finish = (how: ByteStreamEnd): void => {
    state.cancel();
    signal.removeEventListener('abort', onAbort);
    end.resolve(how);
    state.controller?.abort(ENDED);
  };
  const onAbort = (): void => {
    finish(ABORTED);
  };
  const heard = (): void => {
    state.cancel();
    state.cancel = request.deadlines.after(silence, () => {
      finish(refusalOf(stopped('Timeout', `nothing came within ${silence} ms`)));
    });
  };
  signal.addEventListener('abort', onAbort);
  heard();
  try {
    pool.dispatch(options, handlerOf(request, state, { finish, heard }));
  } catch (error) {
    finish(refusalOf(noAnswer(error)));
  }
  return end.promise;
}

interface StreamState {
  status: number;
  readonly refusal: Uint8Array[];
  controller: Dispatcher.DispatchController | undefined;
  cancel: () => void;
}

interface StreamCalls {
  readonly finish: (how: ByteStreamEnd) => void;
  readonly heard: () => void;
}

function handlerOf(
  { onBytes, signal }: ByteRequest,
  state: StreamState,
  { finish, heard }: StreamCalls,
): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (controller) => {
      state.controller = controller;
      if (signal.aborted) controller.abort(ENDED);
    },
    onResponseStart: (_controller, code) => {
      state.status = code;
      heard();
    },
    onResponseData: (_controller, chunk) => {
      heard();
      if (state.status === 200) onBytes(chunk);
      else state.refusal.push(chunk);
    },
    onResponseEnd: () => {
      if (state.status === 200) finish({ state: 'closed' });
      else {
        const text = Buffer.concat(state.refusal).toString('utf8');
        finish(refusalOf(answerOf({ status: state.status, json: text.startsWith('{'), text })));
      }
    },
    onResponseError: (_controller, error) => {
      finish(refusalOf(noAnswer(error)));
    },
  };
}

function refusalOf(answer: KubeAnswer): ByteStreamEnd {
  if (answer.ok) return { state: 'closed' };
  const { status, reason, message } = answer;
  return { state: 'broken', status, reason, text: message };
}

const ABORTED = refusalOf(stopped('Aborted', 'the caller stopped reading'));
const ENDED = new Error('the stream has ended');
