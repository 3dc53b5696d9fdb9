import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { localKubeAccess } from '../../local/access.js';
import type { Row } from '../../model/row.js';
import { createKubeClient } from '../../workload/kube/http-kube-client.js';
import { systemClock } from '../../workload/platform/clock.js';
import { waitFor } from '../../workload/platform/wait.js';
import { cli } from '../helpers/cli.js';
import { buildFakeCl2, type FakeCl2 } from '../helpers/fake-cl2.js';
import { startJobPlayer, type JobPlayer } from '../helpers/job-player.js';
import { writeMergedKubeconfig } from '../helpers/merged-kubeconfig.js';
import { ourNamespaces, resultsOf, ROLES, said } from '../helpers/mesh-runs.js';
import { meshWithRuns } from '../helpers/mesh-with-runs.js';

/** Real processes on a machine that may be busy with other tests. */
jest.setTimeout(900_000);

const { mesh, runs } = meshWithRuns();
const REAL = process.env['MESHSCALE_CL2_BINARY'];
let fake: FakeCl2;
let binary: string;
let target: readonly string[];
let players: readonly JobPlayer[];
beforeAll(async () => {
  fake = await buildFakeCl2();
  binary = REAL ?? fake.binary;
  await fake.script({});
  const file = join(mesh().stateDir, '..', 'kubeconfig-both');
  await writeMergedKubeconfig(mesh(), file);
  target = ['--target', 'kubeconfig', '--kubeconfig', file, '--contexts', ROLES.join(',')];
  players = await Promise.all(
    ROLES.map(async (role) => {
      const admin = await localKubeAccess(mesh().stateDir, role);
      // The pods are made and scheduled by the mesh's own controllers; only a kubelet is missing.
      return await startJobPlayer({ admin, binary, role, makesPods: false });
    }),
  );
});
afterAll(async () => {
  for (const player of players) await player.stop();
  await fake.remove();
});

/** Pods of a smoke test would have to answer, and those of mock nodes do not. */
const CL2 = ['--engine', 'clusterloader2', '--smoke', 'never'];
const JOB = [
  ...['--executor', 'job', '--cl2-image', 'registry.test/clusterloader2:1'],
  ...['--cl2-node-selector', 'meshscale.test/node=stand-in'],
];

/** What a row is about, whatever it found and in whichever run. */
function subjects(rows: readonly Row[]): readonly string[] {
  return rows
    .map(({ cluster, group, measurement, meshscale: { phase, kind, state } }) =>
      [cluster, group, measurement, phase, kind, state].join(' '),
    )
    .sort();
}

async function clusterScoped(role: string): Promise<readonly string[]> {
  const client = createKubeClient(await localKubeAccess(mesh().stateDir, role));
  const base = '/apis/rbac.authorization.k8s.io/v1';
  const lists = await Promise.all(
    ['clusterroles', 'clusterrolebindings'].map((kind) => client.list(`${base}/${kind}`)),
  );
  await client.close();
  const names = lists.flatMap(({ items }) => items.map(({ metadata }) => metadata.name));
  return names.filter((name) => name.startsWith('meshscale-cl2'));
}

async function expectNothingLeft(): Promise<void> {
  expect(await ourNamespaces(mesh())).toEqual([]);
  for (const role of ROLES) {
    // Taken away by the garbage collector, with the namespace that owns them.
    const gone = await waitFor({ clock: systemClock, budget: 60_000, period: 500 }, async () => {
      const left = await clusterScoped(role);
      return left.length === 0
        ? { state: 'ready', value: undefined }
        : { state: 'waiting', missing: left };
    });
    expect(gone).toMatchObject({ state: 'ready' });
  }
}

describe('ClusterLoader2 as a Job in each cluster of a mesh', () => {
  it('gives the rows that its process on this machine gives', async () => {
    const onMachine = await runs().run(...target, ...CL2, '--cl2-binary', binary);
    const inClusters = await runs().run(...target, ...CL2, ...JOB);
    const [one, other] = [await resultsOf(onMachine.folder), await resultsOf(inClusters.folder)];
    for (const role of ROLES) {
      const { ending } = await other.outcome(role);
      expect({ role, ending }).toEqual({ role, ending: { state: 'finished' } });
    }
    expect(subjects(other.rows)).toEqual(subjects(one.rows));
    expect(other.rows.length).toBeGreaterThan(10);
    expect(inClusters.code).toBe(onMachine.code);
    await expectNothingLeft();
  });

  it('leaves nothing in the clusters when the user interrupts', async () => {
    const running = runs().start(...target, ...CL2, ...JOB);
    await said(running, 'load:');
    running.child.kill('SIGINT');
    expect(await running.ended).toMatchObject({ code: 130 });
    await expectNothingLeft();
  });

  it('is found by its labels when its runner was killed', async () => {
    const running = runs().start(...target, ...CL2, ...JOB);
    await said(running, 'load:');
    running.child.kill('SIGKILL');
    await running.ended;
    expect(await ourNamespaces(mesh())).toContain('mesh-001/meshscale-cl2');
    const clean = await cli(['cleanup', '--all', ...target]);
    expect(clean).toMatchObject({ code: 0 });
    await expectNothingLeft();
  });
});
