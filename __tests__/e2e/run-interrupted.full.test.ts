import { describe, expect, it, jest } from '@jest/globals';
import { cli, cliJson } from '../helpers/cli.js';
import { ourNamespaces, said } from '../helpers/mesh-runs.js';
import { meshWithRuns } from '../helpers/mesh-with-runs.js';
import { expectWhole } from '../helpers/run-expectations.js';

/** Real processes on a machine that may be busy with other tests. */
jest.setTimeout(600_000);

const { mesh, runs } = meshWithRuns();

describe('a run that is interrupted', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('by %s keeps what it measured, cleans up and ends with %i', async (signal, code) => {
    const running = runs().start();
    await said(running, 'mesh-002  burst: restart');
    running.child.kill(signal);
    const run = await runs().ended(await running.ended);
    expect({ code: run.code, said: run.said }).toMatchObject({ code });
    const results = await expectWhole(run);
    expect(await ourNamespaces(mesh())).toEqual([]);
    const probes = results
      .of('ClusterMeshPropagationProbe')
      .filter(({ meshscale }) => meshscale.state === 'present');
    expect(probes.length).toBeGreaterThanOrEqual(4);
    for (const row of results.of('ClusterStatus')) {
      expect(row.meshscale.reason).toContain('interrupted');
    }
    expect(await cliJson(['run', 'status', run.folder])).toMatchObject({
      state: 'interrupted',
      cleaned: true,
    });
  });

  it('twice leaves at once, and cleanup does the rest', async () => {
    const running = runs().start();
    await said(running, 'mesh-002  burst: restart');
    running.child.kill('SIGINT');
    await said(running, 'once more leaves at once');
    running.child.kill('SIGINT');
    const run = await runs().ended(await running.ended);
    expect(run.code).toBe(130);
    expect(await ourNamespaces(mesh())).not.toEqual([]);
    expect(await cliJson(['run', 'status', run.folder])).toMatchObject({ cleaned: false });
    expect(await cli(['cleanup', run.folder])).toMatchObject({ code: 0 });
    expect(await ourNamespaces(mesh())).toEqual([]);
  });
});
