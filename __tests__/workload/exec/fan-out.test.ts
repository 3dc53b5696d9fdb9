import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fanOut } from '../../../workload/exec/fan-out.js';
import { createVirtualClock } from '../../helpers/virtual-clock.js';

/** Runs items that take these times and gives when each began. */
async function schedule(times: readonly number[], limit: number) {
  const clock = createVirtualClock(0);
  const begun: number[] = [];
  const state = { running: 0, most: 0 };
  const work = fanOut(times, limit, async (time) => {
    begun.push(clock.now());
    state.running += 1;
    state.most = Math.max(state.most, state.running);
    await clock.sleep(time);
    state.running -= 1;
    return time;
  });
  const total = times.reduce((sum, time) => sum + time, 0);
  await clock.advance(total + 1);
  return { results: await work, most: state.most, begun };
}

/** When each begins if whoever is free takes the next. */
function ideal(times: readonly number[], limit: number): readonly number[] {
  const places = Array.from({ length: Math.min(limit, times.length) }, () => 0);
  return times.map((time) => {
    const first = Math.min(...places);
    places[places.indexOf(first)] = first + time;
    return first;
  });
}

describe('fanning out', () => {
  it('begins each as soon as a place is free, never more than allowed, and keeps the order', async () => {
    const time = fc.integer({ min: 1, max: 50 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(time, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 6 }),
        async (times, limit) => {
          const { results, most, begun } = await schedule(times, limit);
          expect(results).toEqual(times);
          expect(most).toBe(Math.min(limit, times.length));
          expect(begun).toEqual(ideal(times, limit));
        },
      ),
      { numRuns: 30 },
    );
  });

  it('fails with the first reason only when all that had begun are over, and begins no other', async () => {
    const clock = createVirtualClock();
    const over: number[] = [];
    const work = fanOut([1, 2, 3, 4], 2, async (item) => {
      await clock.sleep(item * 10);
      over.push(item);
      if (item === 1) throw new Error('the disk is full');
    });
    const ended = expect(work).rejects.toThrow('the disk is full');
    await clock.advance(100);
    await ended;
    expect(over).toEqual([1, 2]);
  });
});
