import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { localKubeAccess } from '../../local/access.js';
import type { Row } from '../../model/row.js';
import { createKubeClient } from '../../workload/kube/http-kube-client.js';
import { systemClock } from '../../workload/platform/clock.js';
import { waitFor } from '../../workload/platform/wait.js';
import { cli, cliJson, startCli, type RunningCli } from './cli.js';

/** A small load on a machine that may be busy: what is tested is that all parts meet. */
const SMALL = [
  ['namespaces', '1'],
  ['deploymentsPerNamespace', '2'],
  ['replicasPerDeployment', '2'],
  ['apiServerCallsPerSecond', '1'],
  ['operationTimeout', '4m'],
  ['settleDuration', '6s'],
  ['drainDuration', '6s'],
  ['idleProbes', '2'],
  ['burstProbes', '2'],
  ['idleLimit', '1m'],
].flatMap(([knob, value]) => ['--set', `${knob ?? ''}=${value ?? ''}`]);

const STEP = 300_000;
const ROLES = ['mesh-001', 'mesh-002'];

/** Tests of `run` and its companions on a mesh of two clusters that is up. */
export function firstRunTests(stateDir: () => string): void {
  let out = '';
  beforeAll(async () => {
    out = await mkdtemp(join(tmpdir(), 'runs-'));
  });
  afterAll(() => rm(out, { recursive: true }));
  const flags = (): readonly string[] => [
    'first-look',
    '--state',
    stateDir(),
    '--out',
    out,
    ...SMALL,
  ];

  describe('a first look at a mesh', () => {
    it(
      'is preceded by a preflight that finds every link synchronised',
      async () => {
        const found = await cliJson(['preflight', '--state', stateDir()]);
        const unseen = [expect.stringContaining('no smoke test was asked for')];
        expect(found).toMatchObject({ ready: true, errors: [], unseen });
      },
      STEP,
    );

    it(
      'passes, with rows of every cluster and both directions, a verdict and a report',
      async () => {
        const run = await cli(['run', ...flags()]);
        expect({ code: run.code, said: run.stderr }).toMatchObject({ code: 0 });
        const folder = join(out, (await readdir(out))[0] ?? '');
        const rows = await rowsOf(folder);
        const of = (measurement: string) => rows.filter((row) => row.measurement === measurement);
        expect(of('ClusterStatus').map(({ cluster, status }) => `${cluster} ${status}`)).toEqual(
          ROLES.map((role) => `${role} success`),
        );
        const pairs = of('ClusterMeshPropagationProbe').map(
          ({ meshscale }) => `${meshscale.source_cluster ?? ''}--${meshscale.target_cluster ?? ''}`,
        );
        expect(new Set(pairs)).toEqual(new Set(['mesh-001--mesh-002', 'mesh-002--mesh-001']));
        expect(of('ProbeFloor').map(({ meshscale }) => meshscale.state)).toEqual([
          'present',
          'present',
        ]);
        const startups = rows.filter(({ measurement }) => measurement.startsWith('PodStartup'));
        expect(startups.length).toBeGreaterThan(0);
        const verdict = await readFile(join(folder, 'verdict.json'), 'utf8');
        expect(JSON.parse(verdict)).toMatchObject({ judgement: { verdict: 'pass' } });
        expect(await readFile(join(folder, 'report.html'), 'utf8')).toContain('<svg');
        expect(await ourNamespaces(stateDir())).toEqual([]);
      },
      STEP,
    );

    it(
      'keeps what it has and leaves nothing on the clusters when it is interrupted',
      async () => {
        const run = startCli(['run', ...flags()]);
        await said(run, 'settle');
        run.child.kill('SIGINT');
        const { code, stdout } = await run.ended;
        expect(code).toBe(130);
        expect(stdout).toContain('report.html');
        expect(await ourNamespaces(stateDir())).toEqual([]);
      },
      STEP,
    );

    it(
      'is refused while objects of a killed run stand, until cleanup has removed them',
      async () => {
        const run = startCli(['run', ...flags()]);
        await said(run, 'settle');
        run.child.kill('SIGKILL');
        await run.ended;
        const second = await cli(['run', ...flags()]);
        expect(second.code).toBe(8);
        expect(second.stderr).toContain('run/clusters-in-use');
        const { runs } = (await cliJson(['run', 'status', '--out', out])) as { runs: Status[] };
        const broken = runs.find(({ state }) => state === 'broken-off');
        expect(broken).toBeDefined();
        const cleanup = await cli(['cleanup', broken?.run ?? '', '--out', out]);
        expect({ code: cleanup.code, said: cleanup.stderr }).toMatchObject({ code: 0 });
        expect(await ourNamespaces(stateDir())).toEqual([]);
      },
      STEP,
    );
  });
}

interface Status {
  readonly run: string;
  readonly state: string;
}

async function rowsOf(folder: string): Promise<readonly Row[]> {
  const text = await readFile(join(folder, 'rows.jsonl'), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
}

async function ourNamespaces(stateDir: string): Promise<readonly string[]> {
  const names = await Promise.all(
    ROLES.map(async (role) => {
      const client = createKubeClient(await localKubeAccess(stateDir, role));
      const { items } = await client.list('/api/v1/namespaces');
      await client.close();
      return items.map(({ metadata }) => `${role}/${metadata.name}`);
    }),
  );
  return names.flat().filter((name) => name.includes('/ms-'));
}

async function said(run: RunningCli, text: string): Promise<void> {
  const bounds = { clock: systemClock, budget: STEP, period: 100 };
  const seen = await waitFor(bounds, () =>
    Promise.resolve(
      run.text().includes(text)
        ? { state: 'ready', value: undefined }
        : { state: 'waiting', missing: [text] },
    ),
  );
  if (seen.state === 'timed-out') throw new Error(`"${text}" was never said:\n${run.text()}`);
}
