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

interface Chunk {
  readonly bytes: Buffer | undefined;
  readonly due: Milliseconds;
}

/**
 * Pipes `from` into `to` so that every byte arrives `delay` after it came, in order. Without delay
 * and pause bytes go straight through. The end of the stream travels like a byte.
 */
export function delayedPipe(from: Readable, to: Writable, path: DelayedPath): void {
  const queue: Chunk[] = [];
  let queued = 0;
  let waiting = false;

  const write = (bytes: Buffer | undefined): void => {
    if (bytes === undefined) {
      to.end();
      return;
    }
    path.onBytes(bytes.length);
    if (!to.write(bytes)) hold();
  };
  const hold = (): void => {
    from.pause();
    to.once('drain', () => from.resume());
  };
  const flush = (): void => {
    waiting = false;
    for (;;) {
      const [head] = queue;
      if (head === undefined || to.destroyed) return;
      if (path.paused()) {
        path.onResume.add(resume);
        return;
      }
      const wait = head.due - path.delays.now();
      if (wait > 0) {
        waiting = true;
        path.delays.after(wait, flush);
        return;
      }
      queue.shift();
      queued -= head.bytes?.length ?? 0;
      write(head.bytes);
      if (queued < IN_FLIGHT_LIMIT && from.isPaused() && !to.writableNeedDrain) from.resume();
    }
  };
  const resume = (): void => {
    path.onResume.delete(resume);
    if (!waiting) flush();
  };
  const enter = (bytes: Buffer | undefined): void => {
    const direct = queue.length === 0 && path.delay() === 0 && !path.paused();
    if (direct) {
      write(bytes);
      return;
    }
    queue.push({ bytes, due: path.delays.now() + path.delay() });
    queued += bytes?.length ?? 0;
    if (queued >= IN_FLIGHT_LIMIT) from.pause();
    if (!waiting) flush();
  };
  from.on('data', enter);
  from.on('end', () => {
    enter(undefined);
  });
  to.on('close', () => path.onResume.delete(resume));
}
