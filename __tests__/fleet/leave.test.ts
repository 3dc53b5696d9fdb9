import { describe, expect, it } from '@jest/globals';
import { ensure } from '../../fleet/ensure.js';
import { leave } from '../../fleet/leave.js';
import type { Knobs } from '../../sim/fleet-service/knobs.js';
import { createTestFleet, type TestFleet } from '../helpers/fleet-world.js';

const profile = 'cmp1';

async function connected(size: number, knobs: Partial<Knobs> = {}): Promise<TestFleet> {
  const test = createTestFleet(size);
  await ensure({ profile, members: test.members }, test.world);
  Object.assign(test.service.state.knobs, knobs);
  test.service.state.journal.length = 0;
  return test;
}

/** Milliseconds; the machine may be busy with other tests. */
const SLOW = 60_000;

describe('leave', () => {
  it('takes one member out and leaves the others connected', async () => {
    const test = await connected(4);
    const result = await leave({ profile, members: ['mesh-003'] }, test.world);
    expect(result).toMatchObject({ remainingMembers: [], applies: 1 });
    expect(test.attached()).toEqual(['mesh-001', 'mesh-002', 'mesh-004']);
    expect(test.fleet.members.get('mesh-003')?.labels).toEqual({ team: 'net' });
    expect(test.breaches()).toEqual([]);
  });

  it.each([
    [4, 12],
    [10, 15],
  ])(
    'shares an apply among those that leave at once: %i at a time',
    async (parallel, leaving) => {
      const test = await connected(leaving + 2);
      const queue = test.members.slice(2).values();
      const worker = async (): Promise<void> => {
        for (const name of queue) {
          const result = await leave({ profile, members: [name] }, test.another());
          expect(result.remainingMembers).toEqual([]);
        }
      };
      await Promise.all(Array.from({ length: parallel }, worker));
      expect(test.requests('/apply$')).toBe(Math.ceil(leaving / parallel));
      expect(test.attached()).toEqual(['mesh-001', 'mesh-002']);
    },
    SLOW,
  );

  it('has nothing to do without a profile, without the member, or for one that is not in the mesh', async () => {
    const test = createTestFleet(3);
    const none = await leave({ profile, members: ['mesh-001'] }, test.world);
    await ensure({ profile, members: ['mesh-001', 'mesh-002'] }, test.world);
    const absent = await leave({ profile, members: ['mesh-009'] }, test.world);
    const outside = await leave({ profile, members: ['mesh-003'] }, test.world);
    expect([none, absent, outside].map(({ remainingMembers }) => remainingMembers)).toEqual([
      [],
      [],
      [],
    ]);
    expect(test.requests('/apply$')).toBe(1);
  });

  it('applies again when the first apply did not see the labels yet', async () => {
    const test = await connected(3, { applyLabelLagMs: 45_000 });
    const result = await leave({ profile, members: ['mesh-002'] }, test.world);
    expect(result).toMatchObject({ remainingMembers: [], applies: 2 });
  });

  it('waits until lists and refusals have caught up, so that the member can be deleted', async () => {
    const test = await connected(3, { listLagMs: { join: 0, leave: 60_000 } });
    await leave({ profile, members: ['mesh-002'] }, test.world);
    const filter = '/members$';
    expect(test.requests(filter)).toBeGreaterThan(5);
    expect(test.attached()).not.toContain('mesh-002');
  });

  it('tells who is still attached when the time is over', async () => {
    const test = await connected(3, { applyNeverEnds: true });
    const result = await leave({ profile, members: ['mesh-002'], timeout: 300_000 }, test.world);
    expect(result.remainingMembers).toEqual(['mesh-002']);
    expect(result.lastState).toBe('Applying');
  });

  it('gets through labels that somebody else writes meanwhile', async () => {
    const test = await connected(3, {
      faults: [
        { match: '^PATCH', times: 3, kind: 'status', status: 412, code: 'PreconditionFailed' },
      ],
    });
    const result = await leave({ profile, members: ['mesh-002'] }, test.world);
    expect(result.remainingMembers).toEqual([]);
  });
});
