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
  const write = writer(from, to, path);
  let waiting = false;

  const flush = (): void => {
    waiting = false;
    for (let head = queue.head(); head !== undefined && !to.destroyed; head = queue.head()) {
      if (path.paused()) return void path.onResume.add(resume);
      const wait = head.due - path.delays.now();
      if (wait > 0) {
        waiting = true;
        path.delays.after(wait, flush);
        return;
      }
      queue.shift();
      write(head.bytes);
      if (!queue.full() && from.isPaused() && !to.writableNeedDrain) from.resume();
    }
  };
  const resume = (): void => {
    path.onResume.delete(resume);
    if (!waiting) flush();
  };
  const enter = (bytes: Buffer | undefined): void => {
    if (queue.head() === undefined && path.delay() === 0 && !path.paused()) {
      write(bytes);
      return;
    }
    queue.push({ bytes, due: path.delays.now() + path.delay() });
    if (queue.full()) from.pause();
    if (!waiting) flush();
  };
  from.on('data', enter);
  from.on('end', () => {
    enter(undefined);
  });
  to.on('close', () => path.onResume.delete(resume));
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

/** Writes bytes, or ends the stream; holds the reading side back while the writing side is full. */
function writer(from: Readable, to: Writable, path: DelayedPath) {
  return (bytes: Buffer | undefined): void => {
    if (bytes === undefined) {
      to.end();
      return;
    }
    path.onBytes(bytes.length);
    if (to.write(bytes)) return;
    from.pause();
    to.once('drain', () => from.resume());
  };
}
