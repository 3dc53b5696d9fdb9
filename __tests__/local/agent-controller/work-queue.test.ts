import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  createWorkQueue,
  type TaskResult,
  type WorkQueue,
} from '../../../local/agent-controller/work-queue.js';
import { createVirtualClock, settled, type VirtualClock } from '../../helpers/virtual-clock.js';

interface Bench {
  readonly queue: WorkQueue;
  readonly clock: VirtualClock;
  readonly done: string[];
  readonly stop: AbortController;
  readonly most: () => number;
}

function bench(results: readonly TaskResult[] = [], concurrency = 2): Bench {
  const clock = createVirtualClock();
  const stop = new AbortController();
  const done: string[] = [];
  const running = new Set<string>();
  let most = 0;
  const left = [...results];
  const queue = createWorkQueue({
    clock,
    signal: stop.signal,
    concurrency,
    work: async (key) => {
      if (running.has(key)) throw new Error(`${key} is worked on twice`);
      running.add(key);
      most = Math.max(most, running.size);
      await settled(1);
      running.delete(key);
      done.push(`${clock.now() - 1_700_000_000_000}:${key}`);
      return left.shift() ?? { state: 'done' };
    },
    onFailure: (key, reason, attempts) => done.push(`${key} ${reason} ${attempts}`),
  });
  return { queue, clock, done, stop, most: () => most };
}

describe('the work queue', () => {
  it('starts nothing before it is resumed, and does a key once however often it was added', async () => {
    const { queue, done } = bench();
    for (const key of ['a', 'b', 'a', 'c', 'a']) queue.add(key);
    await settled();
    expect(done).toEqual([]);
    expect(queue.depth()).toBe(3);
    queue.resume();
    await settled();
    expect(done).toEqual(['0:a', '0:b', '0:c']);
    expect(queue.depth()).toBe(0);
  });

  it('does a key again that is added while it is worked on', async () => {
    const { queue, done } = bench();
    queue.resume();
    queue.add('a');
    queue.add('a');
    await settled();
    expect(done).toEqual(['0:a', '0:a']);
  });

  it('tries a failed key again after a doubling backoff of at most 10 s', async () => {
    const failed: TaskResult = { state: 'failed', reason: 'no' };
    const { queue, clock, done } = bench(Array.from({ length: 10 }, () => failed));
    queue.resume();
    queue.add('a');
    await clock.advance(60_000);
    const times = done.filter((line) => line.includes(':')).map((line) => Number.parseInt(line));
    expect(times).toEqual([0, 100, 300, 700, 1500, 3100, 6300, 12700, 22700, 32700, 42700]);
    expect(done).toContain('a no 10');
  });

  it('wakes delayed keys at their time, the earliest wish of each', async () => {
    const { queue, clock, done } = bench();
    queue.resume();
    queue.addAfter('late', 500);
    queue.addAfter('a', 300);
    queue.addAfter('a', 100);
    queue.addAfter('a', 200);
    await clock.advance(1_000);
    expect(done).toEqual(['100:a', '500:late']);
  });

  it('pauses only when what runs has ended, and loses nothing', async () => {
    const { queue, done } = bench();
    queue.resume();
    queue.add('a');
    await queue.pause();
    expect(done).toEqual(['0:a']);
    queue.add('b');
    await settled();
    expect(done).toEqual(['0:a']);
    queue.resume();
    await settled();
    expect(done).toEqual(['0:a', '0:b']);
  });

  it('starts nothing more, and sleeps no more, once the signal has come', async () => {
    const { queue, clock, done, stop } = bench();
    queue.resume();
    queue.addAfter('a', 100);
    stop.abort();
    queue.add('b');
    await clock.advance(1_000);
    expect(done).toEqual([]);
    expect(clock.sleepers()).toBe(0);
  });

  it('never works on a key twice at once nor on more keys than allowed, and does each in the end', async () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
    const add = fc.record({ key, delay: fc.constantFrom(0, 0, 5, 50), wait: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(add, { maxLength: 30 }), async (adds) => {
        const { queue, clock, done, most } = bench([], 3);
        queue.resume();
        for (const { key: name, delay, wait } of adds) {
          if (delay === 0) queue.add(name);
          else queue.addAfter(name, delay);
          if (wait) await clock.advance(3);
        }
        await clock.advance(1_000);
        expect(new Set(done.map((line) => line.split(':')[1]))).toEqual(
          new Set(adds.map((one) => one.key)),
        );
        expect(most()).toBeLessThanOrEqual(3);
        expect(queue.depth()).toBe(0);
      }),
    );
  });
});
