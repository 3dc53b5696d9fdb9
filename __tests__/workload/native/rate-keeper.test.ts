import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { keepRate } from '../../../workload/native/rate-keeper.js';
import { createVirtualClock, settled } from '../../helpers/virtual-clock.js';

async function runToEnd<T>(
  clock: ReturnType<typeof createVirtualClock>,
  work: Promise<T>,
): Promise<T> {
  const state = { ended: false };
  const watched = work.finally(() => {
    state.ended = true;
  });
  watched.catch(() => undefined);
  for (let step = 0; !state.ended && step < 400; step += 1) await clock.advance(100);
  await settled();
  return await watched;
}

describe('the rate keeper', () => {
  it('has never issued more than asked by any moment, and achieves what is asked of a quick server', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 2, max: 200 }),
        fc.integer({ min: 0, max: 20 }),
        async (count, perSecond, answer) => {
          const clock = createVirtualClock();
          const issuedAt: number[] = [];
          const signal = new AbortController().signal;
          const rate = await runToEnd(
            clock,
            keepRate({ count, perSecond, clock, signal }, async () => {
              issuedAt.push(Number(clock.monoNs()) / 1e6);
              if (answer > 0) await clock.sleep(answer);
              return true;
            }),
          );
          for (const [index, at] of issuedAt.entries()) {
            // A nanosecond clock rounds.
            expect(index).toBeLessThanOrEqual((at * perSecond) / 1_000 + 1e-3);
          }
          expect(rate.accepted).toBe(count);
          expect(rate.achieved).toBeGreaterThan(perSecond * 0.999);
          expect(rate.achieved).toBeLessThanOrEqual(perSecond * 1.001);
        },
      ),
      { numRuns: 25 },
    );
  });

  it('issues on time although earlier events have no answer yet', async () => {
    const clock = createVirtualClock();
    let issued = 0;
    const signal = new AbortController().signal;
    const work = keepRate({ count: 10, perSecond: 10, clock, signal }, async () => {
      issued += 1;
      await clock.sleep(60_000);
      return true;
    });
    await clock.advance(950);
    expect(issued).toBe(10);
    await clock.advance(120_000);
    await expect(work).resolves.toMatchObject({ accepted: 10 });
  });

  it('tells a lower rate when answers come more and more slowly', async () => {
    const clock = createVirtualClock();
    const signal = new AbortController().signal;
    const work = keepRate({ count: 20, perSecond: 10, clock, signal, atOnce: 1 }, async () => {
      await clock.sleep(500);
      return true;
    });
    const { asked, achieved } = await runToEnd(clock, work);
    expect(asked).toBe(10);
    expect(achieved).toBeLessThan(3);
  });

  it('counts refusals as lost', async () => {
    const clock = createVirtualClock();
    const signal = new AbortController().signal;
    const issue = (index: number) => Promise.resolve(index % 2 === 0);
    const rate = await runToEnd(
      clock,
      keepRate({ count: 21, perSecond: 10, clock, signal }, issue),
    );
    expect(rate).toMatchObject({ accepted: 11, refused: 10, achieved: 5 });
  });

  it('has no rate to tell when none was asked and one event was taken', async () => {
    const clock = createVirtualClock();
    const signal = new AbortController().signal;
    const rate = await keepRate({ count: 1, clock, signal }, () => Promise.resolve(true));
    expect(rate).toEqual({ asked: null, achieved: null, accepted: 1, refused: 0 });
  });

  it('fails with the reason of its signal and issues nothing after it', async () => {
    const clock = createVirtualClock();
    const stop = new AbortController();
    let issued = 0;
    const work = keepRate({ count: 100, perSecond: 10, clock, signal: stop.signal }, () => {
      issued += 1;
      return Promise.resolve(true);
    });
    work.catch(() => undefined);
    await clock.advance(450);
    stop.abort(new Error('enough'));
    await clock.advance(5_000);
    await expect(work).rejects.toThrow('enough');
    expect(issued).toBe(5);
  });
});
