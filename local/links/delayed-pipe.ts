import type { Readable, Writable } from 'node:stream';
import type { Milliseconds } from '../../model/quantity.js';

/** Calls back after a delay; the machine's timer in the relay, a virtual one in tests. */
export interface DelaySource {
  after(delay: Milliseconds, callback: () => void): void;
  /** Monotonic milliseconds. */
  now(): Milliseconds;
}

/** How bytes travel in one direction of a link. */
export interface DelayedPath {
  readonly delays: DelaySource;
  readonly delay: () => Milliseconds;
  readonly paused: () => boolean;
  /** Functions to call when a pause ends. */
  readonly onResume: Set<() => void>;
  readonly onBytes: (count: number) => void;
}

/**
 * So much may be under way in one direction before the reading side is held back: above the
 * bandwidth-delay product of 100 MB/s at 100 ms, so that a delay is not a throughput limit too.
 */
const IN_FLIGHT_LIMIT = 16 * 1024 * 1024;

/**
 * Pipes `from` into `to` so that every byte arrives `delay` after it came, in order. Without delay
 * and pause bytes go straight through. The end of the stream travels like a byte.
 */
export function delayedPipe(from: Readable, to: Writable, path: DelayedPath): void {
  const queue = createQueue();
  const sendDue = sender(queue, to, path);
  // Something will call `flush` by itself: a timer, the end of a pause, or room on the writing side.
  let expected = false;

  const flush = (): void => {
    path.onResume.delete(flush);
    const next = sendDue();
    expected = next !== undefined;
    next?.(flush);
    // With its queue full the reading side is held back, so that what is under way stays bounded.
    if (queue.full()) from.pause();
    else if (from.isPaused()) from.resume();
  };
  const enter = (bytes: Buffer | undefined): void => {
    queue.push({ bytes, due: path.delays.now() + path.delay() });
    if (!expected) flush();
    else if (queue.full()) from.pause();
  };
  from.on('data', enter);
  from.on('end', () => {
    enter(undefined);
  });
  to.on('close', () => path.onResume.delete(flush));
}

type Queue = ReturnType<typeof createQueue>;

/** Sends what is due; gives how to be called when more can go, undefined when nothing waits. */
function sender(queue: Queue, to: Writable, path: DelayedPath) {
  return (): ((callback: () => void) => void) | undefined => {
    for (let head = queue.head(); head !== undefined && !to.destroyed; head = queue.head()) {
      if (path.paused()) return (callback) => void path.onResume.add(callback);
      const wait = head.due - path.delays.now();
      if (wait > 0) {
        return (callback) => {
          path.delays.after(wait, callback);
        };
      }
      queue.shift();
      if (!write(to, head.bytes, path)) return (callback) => void to.once('drain', callback);
    }
    return undefined;
  };
}

/** Some bytes, or the end of the stream, and when they may go on. */
interface Chunk {
  readonly bytes: Buffer | undefined;
  readonly due: Milliseconds;
}

function createQueue() {
  const chunks: Chunk[] = [];
  let bytes = 0;
  return {
    head: () => chunks[0],
    full: () => bytes >= IN_FLIGHT_LIMIT,
    push: (chunk: Chunk) => {
      chunks.push(chunk);
      bytes += chunk.bytes?.length ?? 0;
    },
    shift: () => {
      bytes -= chunks.shift()?.bytes?.length ?? 0;
    },
  };
}

/** Writes bytes, or ends the stream; false when the writing side wants a rest. */
function write(to: Writable, bytes: Buffer | undefined, path: DelayedPath): boolean {
  if (bytes === undefined) {
    to.end();
    return true;
  }
  path.onBytes(bytes.length);
  return to.write(bytes);
}
