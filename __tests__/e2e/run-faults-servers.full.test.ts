import { describe, expect, it, jest } from '@jest/globals';
import { cli } from '../helpers/cli.js';
import { ourNamespaces, resultsOf } from '../helpers/mesh-runs.js';
import { meshWithRuns } from '../helpers/mesh-with-runs.js';
import { expectOneLost } from '../helpers/run-expectations.js';

/** Real processes on a machine that may be busy with other tests. */
jest.setTimeout(600_000);

const { mesh, runs, kill } = meshWithRuns();

describe('a run in which one cluster loses its API server', () => {
  it('names a cluster that is gone from the start, and makes nothing there', async () => {
    await kill('kube-apiserver');
    const run = await runs().run();
    expect(run.code).toBe(5);
    await expectOneLost(run, 'mesh-002', 'unreachable', /mesh-002 cannot be used: .*ECONNREFUSED/);
    expect(run.stderr).not.toContain('run/leftovers');
    const { outcome } = await resultsOf(run.folder);
    expect((await outcome('mesh-002')).phases).toEqual([]);
    expect(await ourNamespaces(mesh(), ['mesh-001'])).toEqual([]);
  });

  it('names a cluster that freezes in the burst; cleanup cleans it once it answers', async () => {
    const run = await runs().withFault('mesh-002  burst: restart', () =>
      kill('kube-apiserver', 'SIGSTOP'),
    );
    expect(run.code).toBe(5);
    await expectOneLost(run, 'mesh-002', 'api-server-unreachable', /has not answered 3 times/);
    const { outcome, rows } = await resultsOf(run.folder);
    expect((await outcome('mesh-002')).phases.map(({ name }) => name)).toContain('idle');
    // What was measured before is kept: the idle probes of both directions.
    const idle = rows.filter(
      ({ measurement, meshscale }) =>
        measurement === 'ClusterMeshPropagationProbe' && meshscale.state === 'present',
    );
    expect(new Set(idle.map(({ meshscale }) => meshscale.source_cluster))).toEqual(
      new Set(['mesh-001', 'mesh-002']),
    );
    expect(run.stderr).toContain('error run/leftovers');
    expect(run.stderr).not.toContain('MaxListenersExceededWarning');
    await kill('kube-apiserver', 'SIGCONT');
    const cleanup = await cli(['cleanup', run.folder]);
    expect({ code: cleanup.code, said: cleanup.stderr }).toMatchObject({ code: 0 });
    expect(await ourNamespaces(mesh())).toEqual([]);
    const status = await cli(['run', 'status', run.folder]);
    expect(status.stdout).not.toContain('may have left objects');
  });

  it('names a cluster whose own etcd dies in the burst, and blames its infrastructure', async () => {
    const run = await runs().withFault('mesh-002  burst: restart', () => kill('etcd'));
    expect(run.code).toBe(5);
    await expectOneLost(run, 'mesh-002', 'api-server-not-ready', /not ready: etcd.* failed/);
    expect(run.stderr).toContain('error run/leftovers');
  });
});
