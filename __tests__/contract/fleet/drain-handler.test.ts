import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { breachesOf } from '../../../sim/fleet-service/check-service.js';
import { seedCluster } from '../../../sim/fleet-service/routes/cluster-routes.js';
import { withFleetServer, type RunningFleet } from '../../helpers/fleet-server.js';
import { buildHandler, runHandler, type HandlerEnd } from '../../helpers/run-handler.js';

let folder = '';
let bundle = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'meshscale-handler-'));
  bundle = join(folder, 'fleet-drain.mjs');
  await buildHandler(bundle);
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const SLOW = 60_000;

function run(
  running: RunningFleet,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<HandlerEnd> {
  return runHandler(bundle, args, { ...running.env, ...env }).ended;
}

describe('the bundled handler', () => {
  it('is one file under 50 kB that imports nothing but Node', async () => {
    expect((await stat(bundle)).size).toBeLessThan(50_000);
    const imports = [...(await readFile(bundle, 'utf8')).matchAll(/from"([^"]+)"/g)];
    expect(imports.map(([, name]) => name).filter((name) => !name?.startsWith('node:'))).toEqual(
      [],
    );
  });

  it(
    'joins, takes one out and drains, each as a process of its own',
    async () => {
      await withFleetServer(3, {}, async (running) => {
        const MEMBERS = running.members.join(',');
        const joined = await run(running, ['ensure', '--timeout', '30m'], { MEMBERS });
        expect(joined).toMatchObject({ code: 0 });
        const left = await run(running, ['leave', '--timeout', '10m'], { MEMBER: 'mesh-003' });
        expect(left).toMatchObject({ code: 0 });
        const drained = await run(running, ['drain', '--timeout', '10m']);
        expect(drained).toMatchObject({ code: 0 });
        expect(JSON.parse(drained.stdout)).toMatchObject({ deleted: true, applies: 1 });
        expect(drained.stderr).toContain('2 attached: mesh-001, mesh-002');
        expect(breachesOf(running.service.state)).toEqual([]);
        expect(joined.stderr + joined.stdout).not.toContain('secret-of-the-test');
      });
    },
    SLOW,
  );

  it(
    'ends with 7 and the names when a drain is not complete',
    async () => {
      await withFleetServer(2, {}, async (running) => {
        await run(running, ['ensure'], { MEMBERS: running.members.join(',') });
        running.service.state.knobs.applyNeverEnds = true;
        const ended = await run(running, ['drain', '--timeout', '5m']);
        expect(ended.code).toBe(7);
        expect(ended.stderr).toContain(
          'error fleet/still-connected: the drain of cmp1 is not complete',
        );
        expect(ended.stderr).toContain('2 still attached: mesh-001, mesh-002');
      });
    },
    SLOW,
  );

  it(
    'ends a drain with 7 also when nobody is logged in',
    async () => {
      await withFleetServer(2, {}, async (running) => {
        const env = { ...running.env, AZURE_CLIENT_SECRET: '' };
        // Nothing of the machine's own login: no PATH with `az`, no identity to be found.
        const nobody = { ...env, PATH: running.folder, IDENTITY_ENDPOINT: running.server.origin };
        const ended = await runHandler(bundle, ['drain'], { ...nobody, IDENTITY_HEADER: 'x' })
          .ended;
        expect(ended.code).toBe(7);
        expect(ended.stderr).toContain('azure/no-credential');
      });
    },
    SLOW,
  );

  it(
    'fails with 2 for wrong words, before anything is asked',
    async () => {
      await withFleetServer(1, {}, async (running) => {
        const ended = await run(running, ['destroy', '--force', '--timeout', '90'], {
          FLEET_ID: 'x',
        });
        expect(ended.code).toBe(2);
        expect(ended.stderr).toContain('ensure, leave, drain, settle');
        expect(ended.stderr).toContain('"90" has no unit');
        expect(running.service.state.journal).toEqual([]);
      });
    },
    SLOW,
  );

  it(
    'is finished by the next one when it was killed in the middle',
    async () => {
      await withFleetServer(3, {}, async (running) => {
        await run(running, ['ensure'], { MEMBERS: running.members.join(',') });
        const { child, ended } = runHandler(bundle, ['drain'], running.env);
        child.stderr?.once('data', () => child.kill('SIGKILL'));
        await ended;
        expect(await run(running, ['drain'])).toMatchObject({ code: 0 });
        expect(breachesOf(running.service.state)).toEqual([]);
      });
    },
    SLOW,
  );

  it(
    'says that it was interrupted, by its exit code',
    async () => {
      await withFleetServer(2, { applyNeverEnds: true }, async (running) => {
        const env = { ...running.env, MEMBERS: running.members.join(',') };
        const { child, ended } = runHandler(bundle, ['ensure'], env);
        child.stderr?.once('data', () => child.kill('SIGTERM'));
        expect(await ended).toMatchObject({ code: 143 });
      });
    },
    SLOW,
  );

  it(
    'waits until a cluster is at rest',
    async () => {
      await withFleetServer(1, { clusterUpdatingMs: 240_000 }, async (running) => {
        const CLUSTER_ID = [...running.service.state.fleets.values()].flatMap(({ members }) =>
          [...members.values()].map(({ clusterId }) => clusterId),
        )[0];
        seedCluster(running.service.state, CLUSTER_ID ?? '');
        const ended = await run(running, ['settle'], { CLUSTER_ID: CLUSTER_ID ?? '' });
        expect(ended).toMatchObject({ code: 0 });
        expect(ended.stderr).toContain('Updating; 0 of 3 good reads');
      });
    },
    SLOW,
  );
});
