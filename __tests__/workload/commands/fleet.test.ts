import { describe, expect, it } from '@jest/globals';
import { userErrorsOf } from '../../../model/user-error.js';
import { breachesOf } from '../../../sim/fleet-service/check-service.js';
import { runFleetCommand, type FleetFlags } from '../../../workload/commands/fleet-action.js';
import { testCommand, type TestCommand } from '../../helpers/command-context.js';
import { FLEET_ID } from '../../helpers/fleet-world.js';
import { withFleetServer, type RunningFleet } from '../../helpers/fleet-server.js';

/** Milliseconds; the machine may be busy with other tests. */
const SLOW = 60_000;

async function fleet(
  { env }: Pick<RunningFleet, 'env'>,
  verb: string,
  flags: Partial<FleetFlags> = {},
  json = false,
): Promise<TestCommand> {
  const command = testCommand({ env, json });
  const all = { fleet: FLEET_ID, profile: 'cmp1', member: [], ...flags };
  await runFleetCommand(verb, all, command.context);
  return command;
}

async function refusal(promise: Promise<unknown>): Promise<readonly string[]> {
  try {
    await promise;
  } catch (error) {
    return userErrorsOf(error).map(({ code, exit, problem }) => `${exit} ${code}: ${problem}`);
  }
  return ['it did not fail'];
}

describe('meshscale fleet', () => {
  it(
    'joins, shows, takes one out, waits for clusters and drains, by the code of the handler',
    async () => {
      await withFleetServer(3, {}, async (running) => {
        await fleet(running, 'ensure', { member: running.members });
        const left = await fleet(running, 'leave', { member: ['mesh-002'] }, true);
        expect(left.documents).toEqual([
          expect.objectContaining({ schemaVersion: 1, remainingMembers: [] }),
        ]);
        const status = await fleet(running, 'status');
        expect(status.data.join('\n').split('\n')).toEqual([
          'cmp1  Connected  mesh=cmp1 (applied)',
          'mesh-001  Connected (id 1, mesh-0011)',
          'mesh-002  not in the mesh',
          'mesh-003  Connected (id 3, mesh-0033)',
        ]);
        const settled = await fleet(running, 'settle', {}, true);
        expect(settled.documents).toEqual([{ schemaVersion: 1, settled: expect.any(Array) }]);
        const drained = await fleet(running, 'drain', { timeout: '20m' });
        expect(drained.told).toContainEqual(
          'drain cmp1: 2 attached: mesh-001, mesh-003 (Connected)',
        );
        expect(breachesOf(running.service.state)).toEqual([]);
      });
    },
    SLOW,
  );

  it(
    'fails as leftovers when a drain is not complete',
    async () => {
      await withFleetServer(2, {}, async (running) => {
        await fleet(running, 'ensure', { member: running.members });
        running.service.state.knobs.applyNeverEnds = true;
        expect(await refusal(fleet(running, 'drain', { timeout: '2m' }))).toEqual([
          'leftovers fleet/still-connected: the drain of cmp1 is not complete',
        ]);
      });
    },
    SLOW,
  );

  it(
    'fails for members that are not there when it is to wait for their clusters',
    async () => {
      await withFleetServer(1, {}, async (running) => {
        const found = await refusal(fleet(running, 'settle', { member: ['mesh-009'] }));
        expect(found.join()).toContain('fleet/unknown-member');
      });
    },
    SLOW,
  );

  it('fails with all wrong flags at once, before anything is asked', async () => {
    const flags = { fleet: 'x', profile: '', timeout: '90', member: ['Mesh'] };
    expect(await refusal(fleet({ env: {} }, 'leave', flags))).toEqual([
      'bad-input fleet/bad-argument: the id of the fleet is missing or is none',
      'bad-input fleet/bad-argument: a member of a mesh cannot have this name',
      'bad-input fleet/bad-argument: a profile cannot have this name',
      'bad-input fleet/bad-argument: "90" has no unit',
    ]);
  });

  it('fails for an endpoint that is not https, and for a CA that is none', async () => {
    const plain = { env: { MESHSCALE_ARM_ENDPOINT: 'http://127.0.0.1:1' } };
    expect((await refusal(fleet(plain, 'status'))).join()).toContain('azure/bad-endpoint');
    const noCa = { env: { MESHSCALE_ARM_CA: '/nowhere/ca.pem' } };
    expect((await refusal(fleet(noCa, 'status'))).join()).toContain('MESHSCALE_ARM_CA');
  });
});
