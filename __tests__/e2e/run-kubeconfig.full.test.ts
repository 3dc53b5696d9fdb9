import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { ourNamespaces, resultsOf, ROLES } from '../helpers/mesh-runs.js';
import { meshWithRuns } from '../helpers/mesh-with-runs.js';
import { writeMergedKubeconfig } from '../helpers/merged-kubeconfig.js';
import { expectFinished, expectOneLost, expectWhole } from '../helpers/run-expectations.js';

/** Real processes on a machine that may be busy with other tests. */
jest.setTimeout(600_000);

const { mesh, runs } = meshWithRuns();
const target = async (expired?: string): Promise<readonly string[]> => {
  const file = join(mesh().stateDir, '..', `kubeconfig-${expired ?? 'good'}`);
  await writeMergedKubeconfig(mesh(), file, expired);
  return ['--target', 'kubeconfig', '--kubeconfig', file, '--contexts', ROLES.join(',')];
};

describe('a run on clusters that the user names by contexts', () => {
  it('runs all phases everywhere, and says what such clusters do not show', async () => {
    const run = await runs().run(...(await target()));
    const results = await expectWhole(run);
    for (const role of ROLES) await expectFinished(results, role);
    // No Prometheus stands in these clusters, and nobody else may look into their mesh etcd.
    expect({ code: run.code, verdict: results.verdict.judgement.verdict }).toEqual({
      code: 6,
      verdict: 'invalid',
    });
    expect(run.said).toContain('Prometheus did not answer: monitoring/prometheus-k8s');
    expect(run.said).toContain('probe idle: not made, because the mesh etcd of no cluster');
    expect(results.of('StimulusAchieved').length).toBeGreaterThanOrEqual(ROLES.length);
    expect(await ourNamespaces(mesh())).toEqual([]);
  });

  it('names the cluster that does not accept an expired certificate, and runs on the other', async () => {
    const run = await runs().run(...(await target('mesh-002')));
    expect(run.code).toBe(5);
    const cause = /mesh-002 does not accept our credentials: .*certificate has expired/;
    await expectOneLost(run, 'mesh-002', 'credentials-expired', cause);
    expect((await (await resultsOf(run.folder)).outcome('mesh-002')).phases).toEqual([]);
    expect(run.stderr).not.toContain('run/leftovers');
  });
});
