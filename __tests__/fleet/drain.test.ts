import { describe, expect, it } from '@jest/globals';
import { startBudget } from '../../fleet/budget.js';
import { drain } from '../../fleet/drain.js';
import { ensure } from '../../fleet/ensure.js';
import type { Knobs } from '../../sim/fleet-service/knobs.js';
import type { StoredProfile } from '../../sim/fleet-service/state.js';
import { createTestFleet, type TestFleet } from '../helpers/fleet-world.js';

const PROFILE = 'cmp1';

/** A connected mesh; knobs count from when it is. */
async function connected(size: number, knobs: Partial<Knobs> = {}): Promise<TestFleet> {
  const test = createTestFleet(size);
  await ensure({ profile: PROFILE, members: test.members }, test.world);
  Object.assign(test.service.state.knobs, knobs);
  test.service.state.journal.length = 0;
  return test;
}

describe('drain', () => {
  it('takes everybody out by one selector and one apply, and deletes the profile', async () => {
    const test = await connected(5);
    const result = await drain({ profile: PROFILE }, test.world);
    expect(result).toMatchObject({
      drained: true,
      deleted: true,
      remainingMembers: [],
      applies: 1,
    });
    expect(test.requests('^PATCH ')).toBe(0);
    expect(test.requests('^PUT .*/clusterMeshProfiles/')).toBe(1);
    expect(test.attached()).toEqual([]);
    expect(test.breaches()).toEqual([]);
  });

  it('keeps all labels of the members', async () => {
    const test = await connected(3);
    await drain({ profile: PROFILE }, test.world);
    for (const { labels } of test.fleet.members.values()) {
      expect(labels).toEqual({ team: 'net', mesh: PROFILE });
    }
  });

  it('needs no apply for a profile that was never applied', async () => {
    const test = createTestFleet(3);
    const budget = startBudget(test.clock, 60_000);
    const bounds = { budget, signal: test.abort.signal };
    await test.world.api.putProfile(PROFILE, 'mesh=cmp1', bounds);
    const result = await drain({ profile: PROFILE }, test.world);
    expect(result).toMatchObject({ deleted: true, applies: 0 });
    expect(test.requests('^PUT .*/clusterMeshProfiles/')).toBe(1);
  });

  it('is done at once where there is no profile', async () => {
    const test = createTestFleet(2);
    expect(await drain({ profile: PROFILE }, test.world)).toMatchObject({
      deleted: true,
      applies: 0,
    });
    expect(test.service.state.journal).toHaveLength(1);
  });

  it('is done at once where the group is being deleted', async () => {
    const test = await connected(2, { groupDeletingAtMs: 0 });
    expect(await drain({ profile: PROFILE }, test.world)).toMatchObject({ deleted: true });
  });

  it('drains a failed mesh as a healthy one', async () => {
    const test = createTestFleet(4, { noConnectivity: 'all' });
    await expect(ensure({ profile: PROFILE, members: test.members }, test.world)).rejects.toThrow(
      'fleet/mesh-failed',
    );
    expect(await drain({ profile: PROFILE }, test.world)).toMatchObject({
      deleted: true,
      applies: 1,
    });
  });

  it('waits for an apply that was under way when it began', async () => {
    const test = createTestFleet(3, { putDuringApplying: 'refuse' });
    const joining = ensure({ profile: PROFILE, members: test.members }, test.world);
    await test.clock.sleep(15_000);
    test.abort.abort(new Error('killed'));
    await expect(joining).rejects.toThrow('killed');
    const world = { ...test.another(), signal: new AbortController().signal };
    expect(await drain({ profile: PROFILE }, world)).toMatchObject({ deleted: true, applies: 1 });
    expect(test.breaches()).toEqual([]);
  });

  it('fails with the names of those still attached when an apply never ends', async () => {
    const test = await connected(3, { applyNeverEnds: true });
    const result = await drain({ profile: PROFILE }, test.world);
    expect(result).toMatchObject({ drained: false, deleted: false });
    expect(result.remainingMembers).toEqual(test.members);
    expect(result.lastState).toContain('ResourceNotFinalState');
    expect(test.requests('^DELETE .*/clusterMeshProfiles/')).toBeGreaterThan(1);
  });

  it('goes on from where the first one ended', async () => {
    const test = await connected(3, { applyNeverEnds: true });
    await drain({ profile: PROFILE }, test.world);
    Object.assign(test.service.state.knobs, {
      applyNeverEnds: false,
      applyDuringApplying: 'accept',
    });
    const [profile] = test.fleet.profiles.values();
    if (profile !== undefined) profile.state = 'Failed';
    expect(await drain({ profile: PROFILE }, test.world)).toMatchObject({ deleted: true });
  });

  it('bears lists and refusals that lag behind the truth', async () => {
    const test = await connected(4, {
      listLagMs: { join: 20_000, leave: 90_000 },
      deleteGuardLagMs: 120_000,
    });
    expect(await drain({ profile: PROFILE }, test.world)).toMatchObject({ deleted: true });
    expect(test.breaches()).toEqual([]);
  });

  it('tries again when deleting is refused for members that are not there', async () => {
    const test = await connected(2, { refuseProfileDeletes: 3 });
    expect(await drain({ profile: PROFILE }, test.world)).toMatchObject({ deleted: true });
    expect(test.requests('^DELETE .*/clusterMeshProfiles/')).toBe(4);
  });

  it('takes members out by their labels when one of them has the label that selects nobody', async () => {
    const test = await connected(3);
    const [first] = test.fleet.members.values();
    if (first !== undefined) {
      first.labels = { ...first.labels, 'fleet-drain': 'meshscale' };
      first.seenLabels = first.labels;
    }
    expect(await drain({ profile: PROFILE }, test.world)).toMatchObject({ deleted: true });
    expect(first?.labels).toEqual({ team: 'net', mesh: PROFILE });
  });

  it('leaves a second mesh with the same labels alone', async () => {
    const test = await connected(2);
    const [own] = test.fleet.profiles.values();
    if (own === undefined) throw new Error('no profile');
    const id = `${test.fleet.id}/clusterMeshProfiles/other`;
    const other: StoredProfile = { ...own, id, name: 'other', state: 'NotConnected' };
    test.fleet.profiles.set('other', other);
    await drain({ profile: PROFILE }, test.world);
    expect([...test.fleet.profiles.keys()]).toEqual(['other']);
    expect(test.requests('/other')).toBe(0);
  });

  it('counts nobody twice when pages reorder while they are read', async () => {
    const test = await connected(11, { pageSize: 3, reorderDuringPaging: true });
    expect(await drain({ profile: PROFILE }, test.world)).toMatchObject({
      deleted: true,
      applies: 1,
    });
  });

  it('ends well twice when two run at once, with one apply', async () => {
    const test = await connected(3);
    const results = await Promise.all([
      drain({ profile: PROFILE }, test.world),
      drain({ profile: PROFILE }, test.another()),
    ]);
    expect(results.map(({ deleted }) => deleted)).toEqual([true, true]);
    expect(test.requests('/apply$')).toBe(1);
  });

  it('drains again when another client put members back meanwhile', async () => {
    const test = createTestFleet(3, {
      foreignWriters: [{ afterMs: 260_000, profile: PROFILE, selector: 'mesh=cmp1' }],
    });
    await ensure({ profile: PROFILE, members: test.members }, test.world);
    await test.clock.sleep(
      Math.max(0, 225_000 - (test.clock.now() - test.service.state.startedAt)),
    );
    const result = await drain({ profile: PROFILE }, test.world);
    expect(result.deleted).toBe(true);
    expect(test.attached()).toEqual([]);
    expect(test.breaches()).toEqual([]);
  });

  it('takes less than its given time, and tells how far it is with names and counts', async () => {
    const test = await connected(3);
    const result = await drain({ profile: PROFILE, timeout: 120_000 }, test.world);
    expect(result.durationMs).toBeLessThan(120_000);
    expect(test.told).toContainEqual(
      'drain cmp1: 3 attached: mesh-001, mesh-002, mesh-003 (Connected)',
    );
  });
});
