import type { ClientDuplexStream, ServiceError } from '@grpc/grpc-js';
import { asError, deferred, type Deferred } from '../deferred.js';
import { etcdFailure, watchEnded } from './errors.js';
import type { EtcdEvent, EtcdWatchEnd } from './etcd-client.js';
import { eventOf, prefixRange, type WatchAnswer } from './etcd-messages.js';

/** One watch to follow. */
export interface EtcdWatchRequest {
  readonly endpoint: string;
  readonly prefix: string;
  /** The first revision to tell. @default - whatever happens after etcd has confirmed the watch */
  readonly startRevision?: string | undefined;
  /** Any of them ends the watch. */
  readonly signals: readonly AbortSignal[];
}

/** What a watch calls. */
export interface EtcdWatchHandlers {
  onOpen?(revision: string): void;
  onEvents(events: readonly EtcdEvent[]): void;
}

/**
 * Follows one watch to its end. Each watch has a stream of its own, so that one slow consumer holds
 * up no other. Rejects only with what a handler threw.
 */
export async function followWatch(
  stream: ClientDuplexStream<object, object>,
  request: EtcdWatchRequest,
  handlers: EtcdWatchHandlers,
): Promise<EtcdWatchEnd> {
  const { endpoint, prefix, startRevision = '0', signals } = request;
  const end = deferred<EtcdWatchEnd>();
  const onAbort = (): void => {
    end.resolve({ reason: 'aborted' });
  };
  for (const signal of signals) signal.addEventListener('abort', onAbort);
  stream.on('data', messageReader(request, handlers, end));
  stream.on('error', (error: ServiceError) => {
    end.resolve({ reason: 'lost', cause: etcdFailure(endpoint, 'watch', error) });
  });
  stream.on('end', () => {
    end.resolve({ reason: 'lost', cause: watchEnded(endpoint, 'etcd closed the stream') });
  });
  if (isAborted(signals)) onAbort();
  else
    stream.write({
      create_request: { ...prefixRange(prefix), start_revision: startRevision, fragment: true },
    });
  try {
    return await end.promise;
  } finally {
    for (const signal of signals) signal.removeEventListener('abort', onAbort);
    stream.cancel();
  }
}

function messageReader(
  { endpoint, signals }: EtcdWatchRequest,
  handlers: EtcdWatchHandlers,
  end: Deferred<EtcdWatchEnd>,
): (message: object) => void {
  const read = answerReader(endpoint, handlers);
  return (message) => {
    if (isAborted(signals)) return;
    try {
      const ended = read(message as WatchAnswer);
      if (ended !== undefined) end.resolve(ended);
    } catch (error) {
      end.reject(asError(error));
    }
  };
}

function answerReader(
  endpoint: string,
  handlers: EtcdWatchHandlers,
): (answer: WatchAnswer) => EtcdWatchEnd | undefined {
  let parts: EtcdEvent[] = [];
  return (answer) => {
    if (answer.canceled) return cancelledEnd(endpoint, answer);
    if (answer.created) handlers.onOpen?.(answer.header.revision);
    for (const event of answer.events) parts.push(eventOf(event));
    // The changes of one revision stay together: who resumes behind it would lose the rest.
    if (answer.fragment || parts.length === 0) return undefined;
    const whole = parts;
    parts = [];
    handlers.onEvents(whole);
    return undefined;
  };
}

function cancelledEnd(endpoint: string, answer: WatchAnswer): EtcdWatchEnd {
  const { compact_revision: compactRevision, cancel_reason: why } = answer;
  if (compactRevision !== '0') return { reason: 'compacted', compactRevision };
  return { reason: 'lost', cause: watchEnded(endpoint, why) };
}

function isAborted(signals: readonly AbortSignal[]): boolean {
  return signals.some((signal) => signal.aborted);
}
