import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import type { Row } from '../../../model/row.js';
import { readRows } from '../../../workload/results/jsonl-store.js';
import { cli } from '../../helpers/cli.js';
import { startFakeCluster } from '../../helpers/fake-cluster.js';
import { withTemporaryFolder } from '../../helpers/temporary-folder.js';

/** Every case starts the program. */
jest.setTimeout(60_000);

describe('a scenario that needs more than its target has', () => {
  it('ends well, leaves a row for all that it cannot show, and touches nothing', async () => {
    const cluster = await startFakeCluster();
    try {
      await withTemporaryFolder(async (folder) => {
        const file = join(folder, 'kubeconfig');
        await writeFile(file, JSON.stringify(kubeconfigOf(cluster.url)));
        const flags = ['--target', 'kubeconfig', '--contexts', 'only', '--kubeconfig', file];
        const out = join(folder, 'runs');
        const ended = await cli(['run', 'first-look', ...flags, '--out', out]);
        expect(ended).toMatchObject({ code: 0 });
        expect(ended.stdout).toContain('Does not apply here (not-applicable)');
        expect(ended.stdout).toContain('it needs 2 clusters, and there are 1');

        const [name = ''] = await readdir(out);
        const rows = await rowsIn(join(out, name, 'rows.jsonl'));
        expect(new Set(rows.map((row) => row.meshscale.state))).toEqual(
          new Set(['not-applicable']),
        );
        expect(rows.filter((row) => row.measurement === 'ClusterStatus')).toMatchObject([
          { cluster: 'mesh-001', status: 'success', meshscale: { verdict: 'not-applicable' } },
        ]);
        expect(rows.filter((row) => row.meshscale.kind === 'coverage').length).toBeGreaterThan(40);
        expect(rows.every((row) => row.meshscale.reason?.includes('2 clusters'))).toBe(true);
        const page = await readFile(join(out, name, 'report.html'), 'utf8');
        expect(page).toContain('<strong>Does not apply here</strong>');
        expect(cluster.writes).toEqual([]);
      });
    } finally {
      await cluster.close();
    }
  });
});

async function rowsIn(file: string): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const line of readRows(file)) {
    if (!line.ok) throw new Error(line.reason);
    rows.push(line.row);
  }
  return rows;
}

function kubeconfigOf(server: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server } }],
    users: [{ name: 'u', user: {} }],
    contexts: [{ name: 'only', context: { cluster: 'c', user: 'u' } }],
  };
}
