import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import type { Row } from '../../../model/row.js';
import { readRows } from '../../../workload/results/jsonl-store.js';
import { cli, cliJson } from '../../helpers/cli.js';
import { writeSampleRun, type SampleRun } from '../../helpers/sample-run.js';
import { withTemporaryFolder } from '../../helpers/temporary-folder.js';

/** Every case starts the program. */
jest.setTimeout(60_000);

const FOREIGN = join(import.meta.dirname, '../../fixtures/reports/foreign');
const GOOD: SampleRun = { fates: ['good', 'good'] };

describe('meshscale collect', () => {
  it('turns a run folder into rows, verdict and report, and ends as the verdict does', async () => {
    await withSample(GOOD, async (run) => {
      const ended = await cli(['collect', run]);
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      expect(ended.stdout).toMatch(/^\d+ rows in .+rows\.jsonl, verdict pass\n$/);
      expect((await rowsOf(join(run, 'rows.jsonl'))).length).toBeGreaterThan(10);
      expect(await readFile(join(run, 'report.html'), 'utf8')).toContain('Good enough');
    });
  });

  it.each([
    [3, 'fail', { fates: ['good', 'good'], limit: '1ms' }],
    [5, 'error', { fates: ['good', 'failed'] }],
    [6, 'invalid', { fates: ['good', 'weak'] }],
  ] as const)('ends with %s for the verdict %s', async (code, verdict, sample) => {
    await withSample(sample, async (run) => {
      const ended = await cli(['collect', run]);
      expect(ended.code).toBe(code);
      expect(ended.stdout).toContain(`verdict ${verdict}`);
    });
  });

  it('names the cluster of a report that another tool left', async () => {
    await withTemporaryFolder(async (folder) => {
      const [out, report] = [join(folder, 'rows.jsonl'), join(FOREIGN, 'mesh-1')];
      const ended = await cli(['collect', report, '--cluster', 'mesh-007', '--out', out]);
      expect(ended.code).toBe(3);
      expect(ended.stderr).toContain('left alone: mesh-007/notes.bin');
      expect(new Set((await rowsOf(out)).map((row) => row.cluster))).toEqual(new Set(['mesh-007']));
    });
  });

  it('writes into the current folder, and one file for each of several folders', async () => {
    await withTemporaryFolder(async (folder) => {
      await cli(['collect', FOREIGN, FOREIGN], { cwd: folder });
      expect((await rowsOf(join(folder, 'rows-1.jsonl'))).length).toBeGreaterThan(5);
      expect((await rowsOf(join(folder, 'rows-2.jsonl'))).length).toBeGreaterThan(5);
    });
  });

  it('expects the clusters of an inventory, also those that left nothing', async () => {
    await withSample(GOOD, async (run) => {
      const plan = JSON.parse(await readFile(join(run, 'plan.json'), 'utf8')) as Planned;
      const inventory = join(run, 'inventory.json');
      await writeFile(inventory, JSON.stringify({ ...plan.inventory, expectedClusters: 2 }));
      const out = join(run, 'foreign.jsonl');
      await cli(['collect', FOREIGN, '--inventory', inventory, '--out', out]);
      const status = (await rowsOf(out)).filter((row) => row.measurement === 'ClusterStatus');
      expect(status.map((row) => row.cluster)).toEqual(
        expect.arrayContaining(['mesh-001', 'mesh-002']),
      );
    });
  });

  it('makes the folder of --out', async () => {
    await withTemporaryFolder(async (folder) => {
      const out = join(folder, 'new', 'rows.jsonl');
      await cli(['collect', FOREIGN, '--out', out]);
      expect((await rowsOf(out)).length).toBeGreaterThan(5);
    });
  });

  it('is one document on --json', async () => {
    await withSample(GOOD, async (run) => {
      const document = await cliJson(['collect', run]);
      expect(document).toMatchObject({
        schemaVersion: 1,
        collected: [{ folder: run, malformed: [], verdict: { judgement: { verdict: 'pass' } } }],
      });
    });
  });

  it.each([
    ['a folder that is not there', ['nowhere'], 'collect/no-folder'],
    [
      'a report of nobody knows which cluster',
      [join(FOREIGN, 'mesh-1')],
      'collect/no-cluster-name',
    ],
    ['--cluster for two folders', ['a', 'b', '--cluster', 'mesh-001'], 'collect/no-cluster-name'],
    ['an inventory that is not there', [FOREIGN, '--inventory', 'no'], 'inventory/unreadable'],
  ])('fails with 2 for %s', async (_, args, code) => {
    await withTemporaryFolder(async (folder) => {
      const ended = await cli(['collect', ...args, '--json'], { cwd: folder });
      expect(ended.code).toBe(2);
      expect(JSON.parse(ended.stdout)).toMatchObject({ errors: [{ code }] });
    });
  });

  it('fails with 2 for a plan of another release, and says which one would do', async () => {
    await withSample(GOOD, async (run) => {
      const file = join(run, 'plan.json');
      const text = await readFile(file, 'utf8');
      await writeFile(file, text.replace('"schemaVersion":1', '"schemaVersion":4'));
      const ended = await cli(['collect', run]);
      expect(ended).toMatchObject({ code: 2, stdout: '' });
      expect(ended.stderr).toContain('error run/plan-version');
      expect(ended.stderr).toContain('the meshscale release that wrote it');
    });
  });
});

describe('meshscale report', () => {
  it('writes the page again where it is told to', async () => {
    await withSample(GOOD, async (run) => {
      await cli(['collect', run]);
      const out = join(run, 'else', 'where.html');
      const ended = await cli(['report', run, '--out', out]);
      expect(ended).toMatchObject({ code: 0, stdout: `Report: ${out}\n` });
      expect(await readFile(out, 'utf8')).toContain('Good enough');
    });
  });

  it('takes the id of a run in runs/, as every run prints it', async () => {
    await withTemporaryFolder(async (folder) => {
      await writeSampleRun(join(folder, 'runs', '20260515T030000Z-first-look-a2b4'), GOOD);
      for (const command of ['collect', 'report', 'gate']) {
        const ended = await cli([command, '20260515T030000Z-first-look-a2b4'], { cwd: folder });
        expect(ended).toMatchObject({ code: 0, stderr: '' });
      }
    });
  });

  it('makes the rows first when the runner was killed before it did', async () => {
    await withSample({ fates: ['good', 'missing'] }, async (run) => {
      const ended = await cli(['report', run]);
      expect(ended.code).toBe(5);
      expect((await stat(join(run, 'rows.jsonl'))).size).toBeGreaterThan(0);
    });
  });

  it('shows what can be read when some rows cannot, and names them', async () => {
    await withSample(GOOD, async (run) => {
      await cli(['collect', run]);
      const rows = await readFile(join(run, 'rows.jsonl'), 'utf8');
      await writeFile(join(run, 'rows.jsonl'), `{"torn":\n${rows}`);
      expect(await cli(['report', run])).toMatchObject({ code: 0 });
      const page = await readFile(join(run, 'report.html'), 'utf8');
      expect(page).toContain('rows.jsonl line 1');
      expect(page).toContain('ClusterMesh Etcd MVCC Keys');
    });
  });

  it('is one document on --json, with the verdict', async () => {
    await withSample({ ...GOOD, limit: '1ms' }, async (run) => {
      const ended = await cli(['report', run, '--json']);
      expect(ended.code).toBe(3);
      expect(JSON.parse(ended.stdout)).toMatchObject({
        schemaVersion: 1,
        report: join(run, 'report.html'),
        verdict: { judgement: { verdict: 'fail' } },
      });
    });
  });

  it('fails with 2 for a folder that is no run', async () => {
    await withTemporaryFolder(async (folder) => {
      const ended = await cli(['report', folder, '--json']);
      expect(ended.code).toBe(2);
      expect(JSON.parse(ended.stdout)).toMatchObject({ errors: [{ code: 'collect/no-run' }] });
    });
  });

  it('fails with 2 when coverage.json is gone, and says how to make it again', async () => {
    await withSample(GOOD, async (run) => {
      await cli(['collect', run]);
      await rm(join(run, 'coverage.json'));
      const ended = await cli(['report', run]);
      expect(ended.code).toBe(2);
      expect(ended.stderr).toContain(`meshscale collect ${run}`);
    });
  });
});

interface Planned {
  readonly inventory: object;
}

async function withSample(sample: SampleRun, deed: (run: string) => Promise<void>): Promise<void> {
  await withTemporaryFolder(async (run) => {
    await writeSampleRun(run, sample);
    await deed(run);
  });
}

async function rowsOf(file: string): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const line of readRows(file)) if (line.ok) rows.push(line.row);
  return rows;
}
