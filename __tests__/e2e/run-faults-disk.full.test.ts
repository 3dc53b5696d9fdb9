import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { cli } from '../helpers/cli.js';
import { ourNamespaces } from '../helpers/mesh-runs.js';
import { meshWithRuns } from '../helpers/mesh-with-runs.js';
import { expectWhole } from '../helpers/run-expectations.js';

/** Real processes on a machine that may be busy with other tests. */
jest.setTimeout(600_000);

/** Mounting asks for root; whoever is not tests the same with fakes in the unit tests of `exec`. */
const asRoot = process.getuid?.() === 0 ? describe : describe.skip;

asRoot('a run whose disk is full', () => {
  const { mesh, runs } = meshWithRuns();
  let disk: string;
  beforeAll(async () => {
    disk = await mkdtemp(join(tmpdir(), 'disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', disk]);
  });
  afterAll(async () => {
    execFileSync('umount', [disk]);
    await rm(disk, { recursive: true });
  });

  /** Leaves nothing free. */
  async function fill(): Promise<void> {
    const { bavail, bsize } = await statfs(disk);
    await writeFile(join(disk, 'filler'), Buffer.alloc(bavail * bsize));
  }

  it('cleans the clusters, names the folder, and its rows can be made later', async () => {
    const run = await runs().withFault('mesh-002  burst: restart', fill, '--out', disk);
    expect(run.code).toBe(5);
    expect(run.stderr).toContain('error run/folder-unwritable');
    expect(run.stderr).toContain('ENOSPC');
    expect(await ourNamespaces(mesh())).toEqual([]);
    const folder = /meshscale report (\S+)/.exec(run.stderr)?.[1] ?? '';
    await rm(join(disk, 'filler'));

    const status = await cli(['run', 'status', folder]);
    expect(status.stdout).toContain('broken-off');
    const report = await cli(['report', folder]);
    expect({ code: report.code, said: report.stderr }).toMatchObject({ code: 4 });
    const results = await expectWhole({ ...run, folder });
    const idle = results
      .of('ClusterMeshPropagationProbe')
      .filter(({ meshscale }) => meshscale.state === 'present');
    expect(idle.length).toBeGreaterThanOrEqual(4);
  });

  it('is refused when it is full from the start, and touches no cluster', async () => {
    await fill();
    const run = await runs().run('--out', disk);
    await rm(join(disk, 'filler'));
    expect(run.code).toBe(5);
    expect(run.stderr).toContain('error run/folder-unwritable');
    expect(run.stderr).not.toContain('load');
    expect(await ourNamespaces(mesh())).toEqual([]);
  });
});
