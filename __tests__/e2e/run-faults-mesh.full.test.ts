import { describe, expect, it, jest } from '@jest/globals';
import { ourNamespaces, ROLES, type EndedRun, type RunResults } from '../helpers/mesh-runs.js';
import { meshWithRuns } from '../helpers/mesh-with-runs.js';
import { expectFinished, expectWhole } from '../helpers/run-expectations.js';

/** Real processes on a machine that may be busy with other tests. */
jest.setTimeout(600_000);

const { mesh, runs, kill } = meshWithRuns();

/** Both clusters came to their end and are clean; what was not measured makes the run worthless. */
async function expectUnjudged(run: EndedRun, cause: RegExp): Promise<RunResults> {
  const results = await expectWhole(run);
  for (const role of ROLES) await expectFinished(results, role);
  const { judgement } = results.verdict;
  expect({ said: run.said, verdict: judgement.verdict }).toMatchObject({ verdict: 'invalid' });
  expect(run.code).toBe(6);
  const texts = judgement.reasons.map(({ cluster, text }) => `${cluster ?? 'all'}: ${text}`);
  expect(texts.join('\n')).toMatch(cause);
  expect(await ourNamespaces(mesh())).toEqual([]);
  return results;
}

/** How many of the probes from one cluster the other one saw. */
function seenBy(results: RunResults, peer: string): readonly number[] {
  const own = results
    .of('ClusterMeshPropagationProbe')
    .filter(({ meshscale }) => meshscale.target_cluster === peer);
  return [own.filter(({ meshscale }) => meshscale.state === 'present').length, own.length];
}

describe('a run in which a part of the mesh dies', () => {
  it('says that kvstoremesh was not there, and still measures the other direction', async () => {
    const run = await runs().withFault('mesh-002  idle', () => kill('kvstoremesh'));
    const results = await expectUnjudged(
      run,
      /mesh-002: .* at mesh-002, .*kvstoremesh was not scraped/,
    );
    const [seen, all] = seenBy(results, 'mesh-001');
    expect(seen).toBe(all);
    expect(seenBy(results, 'mesh-002')[0]).toBe(0);
  });

  it('says that the etcd of the mesh could not be watched', async () => {
    const run = await runs().withFault('mesh-002  idle', () => kill('mesh-etcd'));
    const results = await expectUnjudged(run, /mesh-002: .* at mesh-002, .*was not scraped/);
    const reasons = results.of('ClusterMeshPropagationProbe').map(({ meshscale }) => meshscale);
    const unseen = reasons.filter(({ target_cluster: peer }) => peer === 'mesh-002');
    expect(unseen.map(({ reason }) => reason ?? '').join('\n')).toContain('could not be watched');
  });
});

describe('a run whose Prometheus is gone', () => {
  it.each([
    ['dies', 'SIGKILL'],
    ['freezes', 'SIGSTOP'],
  ] as const)('says so when it %s, and keeps probes and pod startups', async (_how, signal) => {
    const run = await runs().withFault('mesh-002  idle', () => kill('prometheus', signal, 'mesh'));
    const results = await expectUnjudged(run, /mesh-001: .*Prometheus did not answer: /);
    for (const role of ROLES) {
      const [seen, all] = seenBy(results, role);
      expect({ role, seen }).toEqual({ role, seen: all });
      const reasons = results.coverage.clusters
        .find(({ cluster }) => cluster === role)
        ?.measurements.filter(({ state }) => state === 'missing' || state === 'empty')
        .map(({ reason }) => reason ?? '');
      expect(reasons?.filter((reason) => !reason.includes('Prometheus did not answer'))).toEqual(
        [],
      );
    }
  });
});
