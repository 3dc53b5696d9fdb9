import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals';
import { dryRun } from '../../../workload/cl2/dry-run.js';
import { generateCl2 } from '../../../workload/cl2/generate.js';
import { kubeconfigOf } from '../../../workload/cl2/kubeconfig-of.js';
import { systemProcesses } from '../../../workload/platform/system-processes.js';
import { plannedScenario } from '../../helpers/cl2-plan.js';
import { buildFakeCl2, type FakeCl2 } from '../../helpers/fake-cl2.js';

const REAL = process.env['MESHSCALE_CL2_BINARY'];
const NEVER = new AbortController().signal;

let fake: FakeCl2;
let folder: string;
beforeAll(async () => {
  fake = await buildFakeCl2();
});
afterAll(() => fake.remove());
// A dry run takes 30 ms; two dozen of them on a busy machine take longer than jest's 5 s.
jest.setTimeout(60_000);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cl2-binary-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** What holds for the stand-in has to hold for the real one, or the stand-in is worth nothing. */
const binaries: readonly (readonly [string, () => string])[] = [
  ['the stand-in', () => fake.binary],
  ...(REAL === undefined ? [] : [['ClusterLoader2', () => REAL] as const]),
];

describe.each(binaries)('%s', (_name, binary) => {
  async function run(...args: readonly string[]) {
    const env = { TZ: 'UTC' };
    const result = await systemProcesses.run({ command: binary(), args, env, cwd: folder });
    if (result.state !== 'ended') throw new Error(`it did not end by itself: ${result.state}`);
    return { ...result, text: result.stdout + result.stderr };
  }

  async function kubeconfig(): Promise<string> {
    const file = join(folder, 'kubeconfig');
    const nowhere = { server: 'https://127.0.0.1:1', credential: { kind: 'none' } } as const;
    await writeFile(file, kubeconfigOf(nowhere, 'nowhere'));
    return `--kubeconfig=${file}`;
  }

  it('lists its flags and ends with 1 when asked for help', async () => {
    const { exitCode, text } = await run('--help');
    expect(exitCode).toBe(1);
    expect(text).toContain('--testconfig');
    expect(text).toContain('--k8s-clients-number');
  });

  it('fails with 1 and without a report for a kubeconfig that is not there', async () => {
    const report = join(folder, 'report');
    const { exitCode, text } = await run(
      ...['--provider=local', '--kubeconfig=/nowhere/kubeconfig', '--testconfig=c.yaml'],
      `--report-dir=${report}`,
    );
    expect(exitCode).toBe(1);
    expect(text).toMatch(/error loading kubeconfig|Client creation error/);
    expect(await readdir(folder)).toEqual([]);
  });

  it.each(['config-smoke', 'event-throughput', 'first-look'])(
    'takes what is generated for %s in its dry run',
    async (scenario) => {
      const { plan, catalogue } = await plannedScenario(scenario);
      for (const prometheus of ['own', 'existing'] as const) {
        const job = generateCl2({ plan, catalogue, role: 'mesh-001', prometheus });
        expect(await dryRun(job, binary(), systemProcesses, NEVER)).toEqual([]);
      }
    },
  );

  it('fails in its dry run for a tuning set that is not declared', async () => {
    const { plan, catalogue } = await plannedScenario('config-smoke');
    const job = generateCl2({ plan, catalogue, role: 'mesh-001', prometheus: 'existing' });
    const files = job.files.map(({ file, text }) => ({
      file,
      text: text.replace('tuningSet: "rate-5"', 'tuningSet: "rate-6"'),
    }));
    const [error] = await dryRun({ ...job, files }, binary(), systemProcesses, NEVER);
    expect(error?.code).toBe('cl2/refused');
    expect(error?.given).toContain('tuning set referenced has not been declared');
  });

  it('fails with 1 without a config', async () => {
    const { exitCode, text } = await run('--provider=local', await kubeconfig());
    expect(exitCode).toBe(1);
    expect(text).toContain('no test config path or test suite path specified');
  });

  it('prints the kubeconfig at the verbosity that its step markers need', async () => {
    const args = [
      '--provider=local',
      await kubeconfig(),
      '--dry-run',
      '--testconfig=c.yaml',
      '--v=2',
    ];
    const { text } = await run(
      ...args,
      '--nodes=1',
      '--k8s-clients-number=1',
      `--report-dir=${folder}/r`,
    );
    expect(text).toContain('current-context');
  });
});
