import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { collectRun } from '../../../workload/results/collect-run.js';
import { readJunit } from '../../../workload/results/junit-in.js';
import { readRun } from '../../../workload/results/read-run.js';
import { cli, cliJson } from '../../helpers/cli.js';
import { SAMPLE_TIMESTAMP, writeSampleRun, type SampleRun } from '../../helpers/sample-run.js';
import { withTemporaryFolder } from '../../helpers/temporary-folder.js';

/** Every case starts the program several times. */
jest.setTimeout(60_000);

const GOOD: SampleRun = { fates: Array.from({ length: 6 }, () => 'good' as const) };
const EARLIER = '20260508T030000Z-first-look-a2b4';
const LATER = '20260515T030000Z-first-look-k3xq';

describe('meshscale compare', () => {
  it('ends with 0 for a run and itself, and with 3 for one that is slower', async () => {
    await withRuns(async (runs) => {
      const same = await cli(['compare', EARLIER, EARLIER], { cwd: runs });
      expect(same).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('Nothing is surely worse'),
      });
      const slower = await cli(['compare', EARLIER, LATER], { cwd: runs });
      expect(slower).toMatchObject({ code: 3, stdout: expect.stringContaining('worse') });
    });
  });

  it('finds the last good run by itself', async () => {
    await withRuns(async (runs) => {
      const args = ['compare', LATER, '--baseline', 'last-good'];
      expect(await cliJson(args, { cwd: runs })).toMatchObject({
        before: EARLIER,
        verdict: 'worse',
      });
      const none = await cli(['compare', EARLIER, '--baseline', 'last-good'], { cwd: runs });
      expect(none).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('collect/no-baseline'),
      });
    });
  });

  it('is a case for each value in JUnit, and a table in Markdown', async () => {
    await withRuns(async (runs) => {
      const junit = await cli(['compare', EARLIER, LATER, '--format', 'junit'], { cwd: runs });
      const read = readJunit(junit.stdout);
      expect(read.state === 'read' && read.failures > 0 && read.cases > read.failures).toBe(true);
      const markdown = await cli(['compare', EARLIER, LATER, '--format', 'markdown'], {
        cwd: runs,
      });
      expect(markdown.stdout).toContain('| worse | ');
    });
  });

  it('fails for one run alone, for what is no run, and for a format that there is not', async () => {
    await withRuns(async (runs) => {
      for (const [args, code] of [
        [['compare', EARLIER], 'collect/no-baseline'],
        [['compare', EARLIER, 'nowhere'], 'collect/no-rows'],
        [['compare', EARLIER, LATER, '--format', 'pdf'], 'collect/unknown-format'],
        [['compare', EARLIER, LATER, '--thresholds', 'none.yaml'], 'collect/no-thresholds'],
      ] as const) {
        const { code: exit, stderr } = await cli([...args], { cwd: runs });
        expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining(code) });
      }
    });
  });
});

describe('meshscale gate', () => {
  it('ends as the verdict does, and with 3 where a threshold is missed or its value missing', async () => {
    await withRuns(async (runs) => {
      expect((await cli(['gate', LATER], { cwd: runs })).code).toBe(0);
      const limits: readonly (readonly [string, number])[] = [
        ['{ measurement: ClusterMeshEtcdMvccKeys, query: Max, atMost: 5000 }', 0],
        ['{ measurement: ClusterMeshEtcdMvccKeys, query: Max, atMost: 5 }', 3],
        ['{ measurement: NobodyMeasuresThis, query: Max, atMost: 5 }', 3],
      ];
      for (const [limit, code] of limits) {
        await writeFile(join(runs, 'limits.yaml'), `schemaVersion: 1\nthresholds:\n  - ${limit}\n`);
        const ended = await cli(['gate', LATER, '--thresholds', 'limits.yaml'], { cwd: runs });
        expect(ended.code).toBe(code);
      }
    });
  });

  it('holds a run against an earlier one, and fails for want of one', async () => {
    await withRuns(async (runs) => {
      const limit =
        '{ measurement: ClusterMeshPropagationSummary, query: Perc99, worseBy: 30%, labels: { Metric: service-backend } }';
      await writeFile(join(runs, 'limits.yaml'), `schemaVersion: 1\nthresholds: [${limit}]\n`);
      const limits = ['--thresholds', 'limits.yaml'];
      const alone = await cli(['gate', LATER, ...limits], { cwd: runs });
      expect(alone).toMatchObject({ code: 3, stdout: expect.stringContaining('no baseline') });
      const worse = await cli(['gate', LATER, '--baseline', 'last-good', ...limits], { cwd: runs });
      expect(worse).toMatchObject({ code: 3, stdout: expect.stringContaining('worse by 60') });
      const same = await cli(['gate', EARLIER, '--baseline', EARLIER, ...limits], { cwd: runs });
      expect(same.code).toBe(0);
      expect((await cli(['gate', LATER, '--baseline', 'last-good'], { cwd: runs })).code).toBe(3);
    });
  });

  it('fails for rows without a verdict and without thresholds', async () => {
    await withRuns(async (runs) => {
      const ended = await cli(['gate', join(LATER, 'rows.jsonl')], { cwd: runs });
      expect(ended).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('collect/no-verdict'),
      });
    });
  });
});

describe('meshscale query', () => {
  it('answers SQL and ready questions over all runs, for people and programs', async () => {
    await withRuns(async (runs) => {
      const sql = 'SELECT run, count(*) AS n FROM rows GROUP BY run ORDER BY run';
      const csv = await cli(['query', sql, '--runs', '.', '--format', 'csv'], { cwd: runs });
      expect(csv.stdout.split(/\r?\n/).map((line) => line.split(',')[0])).toEqual([
        'run',
        EARLIER,
        LATER,
        '',
      ]);
      const named = await cliJson(['query', '--named', 'runs', '--runs', '.'], { cwd: runs });
      expect(named).toMatchObject({
        rows: [
          { run: EARLIER, pass: 6 },
          { run: LATER, pass: 6 },
        ],
      });
    });
  });

  it('lists what is ready, and fails for what is not', async () => {
    expect((await cli(['query'])).stdout).toContain('propagation');
    const unknown = await cli(['query', '--named', 'propagtion']);
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('propagation') });
  });
});

/** Two runs that passed, of which the later one took longer to be seen everywhere. */
async function withRuns<T>(use: (runs: string) => Promise<T>): Promise<T> {
  return await withTemporaryFolder(async (runs) => {
    for (const [name, factor] of [
      [EARLIER, 1],
      [LATER, 1.6],
    ] as const) {
      const run = join(runs, name);
      await mkdir(run);
      await writeSampleRun(run, GOOD);
      await change(join(run, 'plan.json'), (text) =>
        text.replace(/\d+T\d+Z-first-look-a2b4/, name),
      );
      await change(join(run, 'probes', 'changes.jsonl'), (text) =>
        text.replace(/"propagation_ms":([\d.]+)/g, (_, value: string) => {
          return `"propagation_ms":${Number(value) * factor}`;
        }),
      );
      const { facts } = await readRun(run);
      await collectRun(run, facts, { timestamp: SAMPLE_TIMESTAMP });
    }
    return await use(runs);
  });
}

async function change(file: string, by: (text: string) => string): Promise<void> {
  await writeFile(file, by(await readFile(file, 'utf8')));
}
