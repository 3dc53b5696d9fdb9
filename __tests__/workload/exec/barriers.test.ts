import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createBarriers } from '../../../workload/exec/barriers.js';
import { settled } from '../../helpers/virtual-clock.js';

const never = new AbortController().signal;

describe('barriers', () => {
  it('hold everybody until the last one has come, and prepare once before anybody goes on', async () => {
    const seen: string[] = [];
    const barriers = createBarriers(['a', 'b'], (phase, members) => {
      seen.push(`ready ${phase} ${members.join()}`);
      return Promise.resolve();
    });
    const first = barriers.arrive('load', 'a', never).then(() => seen.push('a goes'));
    await settled();
    expect(seen).toEqual([]);
    await barriers.arrive('load', 'b', never);
    await first;
    expect(seen[0]).toBe('ready load a,b');
    expect(seen).toHaveLength(2);
  });

  it('do not wait for a member that has left, before or while the others wait', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 2, maxLength: 8 }), async (lost) => {
        fc.pre(lost.some((gone) => !gone));
        const members = lost.map((_, index) => `m${index}`);
        const barriers = createBarriers(members, () => Promise.resolve());
        const living = members.filter((_, index) => !lost[index]);
        const waiting = living.map((member) => barriers.arrive('burst', member, never));
        for (const member of members) if (!living.includes(member)) barriers.leave(member);
        await expect(Promise.all(waiting)).resolves.toHaveLength(living.length);
      }),
      { numRuns: 30 },
    );
  });

  it('fails for everybody when the preparation does', async () => {
    const barriers = createBarriers(['a', 'b'], () => Promise.reject(new Error('disk full')));
    const both = ['a', 'b'].map((member) => barriers.arrive('load', member, never));
    await expect(both[0]).rejects.toThrow('disk full');
    await expect(both[1]).rejects.toThrow('disk full');
  });

  it('fails with the reason of the signal for who waits alone', async () => {
    const stop = new AbortController();
    const barriers = createBarriers(['a', 'b'], () => Promise.resolve());
    const waiting = barriers.arrive('load', 'a', stop.signal);
    waiting.catch(() => undefined);
    stop.abort(new Error('interrupted'));
    await expect(waiting).rejects.toThrow('interrupted');
  });
});
