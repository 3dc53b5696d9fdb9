import { describe, expect, it } from '@jest/globals';
import { withHeartbeat } from '../../../local/engines/heartbeat.js';
import { createVirtualClock } from '../../helpers/virtual-clock.js';

const deed = { subject: 'etcd', text: 'building', expected: 120_000 };

describe('a long deed', () => {
  it('is told at its start, once a minute and at its end', async () => {
    const clock = createVirtualClock();
    const told: string[] = [];
    const progress = { report: (event: { text: string }) => told.push(event.text) };
    const work = withHeartbeat(deed, { clock, progress }, () => clock.sleep(150_000));
    await clock.advance(150_000);
    await work;
    expect(told).toEqual([
      'building, up to about 2 min 00 s expected',
      'building: 60.0 s so far, up to about 2 min 00 s expected',
      'building: 2 min 00 s so far, up to about 2 min 00 s expected',
      'building took 2 min 30 s',
    ]);
    expect(clock.sleepers()).toBe(0);
  });

  it('fails as its work does, and says so', async () => {
    const clock = createVirtualClock();
    const told: string[] = [];
    const progress = {
      report: ({ state, text }: { state: string; text: string }) => told.push(`${state} ${text}`),
    };
    const work = withHeartbeat(deed, { clock, progress }, () => Promise.reject(new Error('no')));
    await expect(work).rejects.toThrow('no');
    expect(told.at(-1)).toBe('failed building failed after 0 ms');
  });
});
