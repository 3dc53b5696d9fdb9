import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { collectRows } from '../../../workload/results/collect-run.js';
import { foreignFacts } from '../../../workload/results/foreign-folder.js';
import { readRows } from '../../../workload/results/jsonl-store.js';
import { withTemporaryFolder } from '../../helpers/temporary-folder.js';

const FOREIGN = join(import.meta.dirname, '../../fixtures/reports/foreign');
const GOLDEN = join(import.meta.dirname, '../../golden/foreign-rows.txt');

describe('a folder that another tool left', () => {
  it('gives the rows of the golden file', async () => {
    const lines = await withTemporaryFolder(async (folder) => {
      const file = join(folder, 'rows.jsonl');
      const facts = await foreignFacts({ path: FOREIGN });
      const collected = await collectRows(facts, file, { timestamp: '2026-05-15T04:00:00Z' });
      const text = [
        `verdict ${collected.verdict.judgement.verdict}`,
        ...collected.malformed,
        ...collected.unknown,
      ];
      for await (const line of readRows(file)) {
        if (!line.ok) throw new Error(line.reason);
        const { cluster, group, measurement, status, result, meshscale } = line.row;
        const { kind, state, stamp } = meshscale;
        text.push(
          [cluster, status, kind, group, measurement, state, stamp, JSON.stringify(result)].join(
            ' | ',
          ),
        );
      }
      // What follows "not JSON" is Node's wording, which changes.
      return `${text.join('\n')}\n`.replace(/not JSON: [^"\n]*/g, 'not JSON');
    });
    if (process.env['UPDATE_GOLDEN'] === '1') await writeFile(GOLDEN, lines);
    expect(lines).toBe(await readFile(GOLDEN, 'utf8'));
  });

  it('fails when it is one report and nobody says of which cluster', async () => {
    await expect(foreignFacts({ path: join(FOREIGN, 'mesh-1') })).rejects.toMatchObject({
      code: 'collect/no-cluster-name',
    });
  });

  it('fails when it is not there', async () => {
    await expect(foreignFacts({ path: join(FOREIGN, 'nowhere') })).rejects.toMatchObject({
      code: 'collect/no-folder',
    });
  });

  it('does not follow links out of the folder', async () => {
    await withTemporaryFolder(async (folder) => {
      const report = join(folder, 'mesh-1');
      await mkdir(report);
      await writeFile(join(folder, 'secret.json'), '{"dataItems":[{"data":{"a":1},"unit":""}]}');
      await symlink(join(folder, 'secret.json'), join(report, 'Timer_t_2026-05-15T03:00:00Z.json'));
      const facts = await foreignFacts({ path: report, cluster: 'mesh-1' });
      const file = join(folder, 'rows.jsonl');
      const collected = await collectRows(facts, file, { timestamp: '' });
      expect(await readFile(file, 'utf8')).not.toContain('"a":1');
      expect(collected.unknown[0]).toContain('link');
    });
  });
});
