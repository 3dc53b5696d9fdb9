import { describe, expect, it } from '@jest/globals';
import { createDeadlines } from '../../../workload/kube/deadlines.js';
import { createVirtualClock } from '../../helpers/virtual-clock.js';

describe('createDeadlines', () => {
  it('calls back once when the time is over, and not before', async () => {
    const clock = createVirtualClock();
    let calls = 0;
    createDeadlines(clock).after(1_000, () => (calls += 1));
    await clock.advance(999);
    expect(calls).toBe(0);
    await clock.advance(60);
    await clock.advance(5_000);
    expect(calls).toBe(1);
  });

  it('never calls back after it was cancelled', async () => {
    const clock = createVirtualClock();
    let calls = 0;
    const cancel = createDeadlines(clock).after(100, () => (calls += 1));
    cancel();
    await clock.advance(1_000);
    expect(calls).toBe(0);
  });

  it('lets the process end when nothing is waited for', async () => {
    const clock = createVirtualClock();
    const cancel = createDeadlines(clock).after(100, () => undefined);
    expect(clock.sleepers()).toBe(1);
    cancel();
    await clock.advance(50);
    expect(clock.sleepers()).toBe(0);
  });

  it('serves a deadline that is set after a quiet time', async () => {
    const clock = createVirtualClock();
    const deadlines = createDeadlines(clock);
    deadlines.after(10, () => undefined);
    await clock.advance(1_000);
    let calls = 0;
    deadlines.after(100, () => (calls += 1));
    await clock.advance(200);
    expect(calls).toBe(1);
  });
});
