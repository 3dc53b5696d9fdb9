import { describe, expect, it, jest } from '@jest/globals';
import { ensure } from '../../fleet/ensure.js';
import { leave } from '../../fleet/leave.js';
import { userErrorsOf } from '../../model/user-error.js';
import { createTestFleet, type TestFleet } from '../helpers/fleet-world.js';

const profile = 'cmp1';

async function refusal(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    return userErrorsOf(error)
      .map(({ code, given }) => `${code}: ${given ?? ''}`)
      .join('\n');
  }
  return 'it did not fail';
}

function all(test: TestFleet): Promise<unknown> {
  return ensure({ profile, members: test.members }, test.world);
}

jest.setTimeout(60_000); // the machine may be busy with other tests

describe('ensure', () => {
  it('labels, applies once and waits until every member is connected', async () => {
    const test = createTestFleet(5);
    expect(await all(test)).toMatchObject({ state: 'connected', applies: 1 });
    const states = [...test.fleet.members.values()].map(({ mesh }) => mesh?.state);
    expect(states).toEqual(Array(5).fill('Connected'));
    expect(test.fleet.members.get('mesh-001')?.labels).toEqual({ team: 'net', mesh: profile });
    expect(test.breaches()).toEqual([]);
  });

  it('changes nothing in a mesh that is as it is to be', async () => {
    const test = createTestFleet(3);
    await all(test);
    test.service.state.journal.length = 0;
    expect(await all(test)).toMatchObject({ applies: 0 });
    expect(test.requests('^(PUT|PATCH|POST|DELETE)')).toBe(0);
  });

  it('grows a mesh with one apply', async () => {
    const test = createTestFleet(5);
    await ensure({ profile, members: test.members.slice(0, 3) }, test.world);
    expect(await all(test)).toMatchObject({ applies: 1 });
    expect(test.attached()).toEqual(test.members);
  });

  it('goes on after a kill at any moment', async () => {
    for (const moment of [500, 3_000, 60_000, 125_000]) {
      const test = createTestFleet(4);
      const first = all(test);
      await test.clock.sleep(moment);
      test.abort.abort(new Error('killed'));
      await expect(first).rejects.toThrow('killed');
      const world = { ...test.another(), signal: new AbortController().signal };
      await ensure({ profile, members: test.members }, world);
      expect(test.attached()).toEqual(test.members);
      expect(test.requests('/apply$')).toBe(1);
    }
  });

  it('makes no mesh of one member, and takes the last one of a mesh out of it', async () => {
    const test = createTestFleet(2);
    const one = { profile, members: ['mesh-001'] };
    expect(await ensure(one, test.world)).toMatchObject({ state: 'alone', applies: 0 });
    expect(test.fleet.profiles.size).toBe(0);
    await all(test);
    await leave({ profile, members: ['mesh-002'] }, test.world);
    expect(await ensure(one, test.world)).toMatchObject({ state: 'alone', applies: 1 });
    expect(test.attached()).toEqual([]);
  });

  it('enrols a large mesh in batches of ten', async () => {
    const test = createTestFleet(60, { stallAfter: 30 });
    expect(await all(test)).toMatchObject({ applies: 6 });
    expect(test.attached()).toHaveLength(60);
  });

  it('takes stuck members out and puts them back, them alone', async () => {
    const test = createTestFleet(12, { stallAfter: 8 });
    expect(await all(test)).toMatchObject({ applies: 3 });
    expect(test.told.join('\n')).toContain('4 stuck, taken out and put back: mesh-009');
    expect(test.requests('^DELETE')).toBe(0);
    expect(test.requests('^PATCH')).toBe(12 + 4 + 4);
  });

  it('applies again when the first apply did not see the labels yet', async () => {
    const test = createTestFleet(3, { applyLabelLagMs: 45_000 });
    expect(await all(test)).toMatchObject({ applies: 2 });
  });

  it('fails with every member and its error when the mesh has failed', async () => {
    const test = createTestFleet(3, { noConnectivity: 'all' });
    const text = await refusal(all(test));
    expect(text).toContain('fleet/mesh-failed: mesh-001: ConnectivityTimeout: No peers visible');
    expect(text).toContain('mesh-003: ConnectivityTimeout');
    expect(test.requests('/apply$')).toBe(1);
  });

  it('fails with the names of skipped members when its time is over', async () => {
    const test = createTestFleet(4, { skipMembers: ['mesh-003'] });
    const text = await refusal(all(test));
    expect(text).toBe('fleet/not-connected: Connected; missing: mesh-003');
  });

  it('fails for all members that are not in the fleet at once', async () => {
    const test = createTestFleet(2);
    const members = [...test.members, 'mesh-007', 'mesh-008'];
    const text = await refusal(ensure({ profile, members }, test.world));
    expect(text).toBe('fleet/unknown-member: mesh-007, mesh-008');
  });

  it('fails for a member of another mesh before it changes anything', async () => {
    const test = createTestFleet(3);
    await ensure({ profile: 'other', members: ['mesh-001', 'mesh-002'] }, test.world);
    test.service.state.journal.length = 0;
    const text = await refusal(all(test));
    expect(text.split('\n')).toHaveLength(2);
    expect(text).toContain('fleet/in-other-mesh');
    expect(test.requests('^(PUT|PATCH|POST|DELETE)')).toBe(0);
  });

  it('fails for a fleet that is not there', async () => {
    const test = createTestFleet(2);
    test.service.state.fleets.clear();
    expect(await refusal(all(test))).toContain('fleet/unknown-fleet');
  });

  it('fails as busy when another process holds the fleet all the time', async () => {
    const test = createTestFleet(2);
    await test.world.lock.tryTake(test.world.fleetId, 'another ensure');
    const text = await refusal(
      ensure({ profile, members: test.members, timeout: 9_000 }, test.world),
    );
    expect(text).toContain('fleet/busy');
    expect(text).toContain('another ensure');
  });

  it('fails for names that could become the same in Cilium, and for all bad names at once', async () => {
    const test = createTestFleet(2);
    const members = ['mesh-1', 'mesh-11', 'Mesh_2', 'mesh-1'];
    const text = await refusal(ensure({ profile: '-', members }, test.world));
    expect(text.split('\n')).toEqual([
      'fleet/bad-argument: mesh-1',
      'fleet/bad-argument: mesh-1, mesh-11, Mesh_2, mesh-1',
      'fleet/bad-argument: Mesh_2',
      'fleet/bad-argument: -',
    ]);
    expect(test.service.state.journal).toEqual([]);
  });
});
