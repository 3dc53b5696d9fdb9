import { describe, expect, it } from '@jest/globals';
import { ensureMember } from '../../fleet/ensure-member.js';
import { settle } from '../../fleet/settle.js';
import { seedCluster } from '../../sim/fleet-service/routes/cluster-routes.js';
import { clusterId, createTestFleet } from '../helpers/fleet-world.js';

const name = 'mesh-001';
const request = { name, clusterId: clusterId(name), labels: { mesh: 'cmp1' } };

describe('ensureMember', () => {
  it('joins a cluster that Fleet does not know yet and that is still being changed', async () => {
    const test = createTestFleet(0, { clusterUnseenMs: 45_000, clusterUpdatingMs: 120_000 });
    const member = await ensureMember(request, test.world);
    expect(member).toMatchObject({ provisioningState: 'Succeeded', labels: { mesh: 'cmp1' } });
    const refusals = test.service.state.journal.flatMap(({ code }) => code ?? []);
    expect(new Set(refusals)).toEqual(
      new Set([
        'ResourceNotFound',
        'DependentResourceNotFound',
        'ManagedClusterNotInExpectedState',
      ]),
    );
  });

  it('adds labels to a member and keeps those that others gave it', async () => {
    const test = createTestFleet(1);
    await ensureMember(request, test.world);
    await ensureMember(request, test.world);
    expect(test.fleet.members.get(name)?.labels).toEqual({ team: 'net', mesh: 'cmp1' });
    expect(test.requests('^PATCH')).toBe(1);
    expect(test.requests('^PUT')).toBe(0);
  });

  it('joins anew a member whose join has failed, and fails when that fails as well', async () => {
    const test = createTestFleet(0, { failJoins: [name] });
    await expect(ensureMember(request, test.world)).rejects.toThrow('fleet/member-failed');
    test.service.state.knobs.failJoins = [];
    expect(await ensureMember(request, test.world)).toMatchObject({
      provisioningState: 'Succeeded',
    });
  });

  it('fails when the name is taken by another cluster', async () => {
    const test = createTestFleet(1);
    const other = { ...request, clusterId: clusterId('other') };
    await expect(ensureMember(other, test.world)).rejects.toMatchObject({
      code: 'fleet/member-failed',
      given: expect.stringContaining('the name is taken by'),
    });
    expect(test.requests('^(PUT|PATCH)')).toBe(0);
  });
});

describe('settle', () => {
  it('waits for three good reads in a row', async () => {
    const test = createTestFleet(0, { clusterUpdatingMs: 600_000 });
    seedCluster(test.service.state, clusterId(name));
    await settle({ clusters: [clusterId(name)] }, test.world);
    expect(test.clock.now() - test.service.state.startedAt).toBe(640_000);
  });

  it('fails for all clusters at once that are stuck or absent', async () => {
    const test = createTestFleet(0, { clusterUpdatingMs: 1e9 });
    seedCluster(test.service.state, clusterId(name));
    const clusters = [clusterId(name), clusterId('mesh-002')];
    await expect(settle({ clusters }, test.world)).rejects.toThrow(
      /fleet\/not-settled: mesh-001 did not[^]*fleet\/not-settled: mesh-002 did not/,
    );
    expect(test.clock.now() - test.service.state.startedAt).toBe(1_200_000);
  });
});
