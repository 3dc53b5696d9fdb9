import { expect } from '@jest/globals';
import { resultsOf, ROLES, type EndedRun, type RunResults } from './mesh-runs.js';

/** A row of every cluster, once, and everything else that each run leaves. */
export async function expectWhole({ folder, said }: EndedRun): Promise<RunResults> {
  const results = await resultsOf(folder).catch((cause: unknown) => {
    throw new Error(`the run folder is not whole:\n${said}`, { cause });
  });
  expect(results.of('ClusterStatus').map(({ cluster }) => cluster)).toEqual(ROLES);
  expect(results.coverage.clusters.map(({ cluster }) => cluster)).toEqual(ROLES);
  expect(results.verdict.clusters.map(({ cluster }) => cluster)).toEqual(ROLES);
  return results;
}

/** A cluster came to its end, with what its Prometheus and its own engine measured. */
export async function expectFinished(results: RunResults, role: string): Promise<void> {
  const { ending, phases } = await results.outcome(role);
  expect({ role, ending }).toEqual({ role, ending: { state: 'finished' } });
  expect(phases.map(({ name }) => name)).toEqual([
    ...['load', 'settle', 'idle', 'burst', 'drain', 'delete'],
  ]);
  const own = results.rows.filter(({ cluster }) => cluster === role);
  const startups = own.filter(({ measurement }) => measurement.startsWith('PodStartup'));
  expect(startups.length).toBeGreaterThan(0);
  const [status] = own.filter(({ measurement }) => measurement === 'ClusterStatus');
  expect(status?.status).toBe('success');
}

/** One cluster is lost, the row and the verdict say why, and the other one finished. */
export async function expectOneLost(
  run: EndedRun,
  role: string,
  code: string,
  cause: RegExp,
): Promise<void> {
  const results = await expectWhole(run);
  const { judgement } = results.verdict;
  expect({ said: run.said, verdict: judgement.verdict }).toMatchObject({ verdict: 'error' });
  expect(judgement.reasons.map((one) => [one.cluster, one.code])).toEqual([[role, code]]);
  expect(judgement.reasons[0]?.text).toMatch(cause);
  const row = results.of('ClusterStatus').find(({ cluster }) => cluster === role);
  expect(row?.status).toBe('failure');
  expect(row?.meshscale.reason).toMatch(cause);
  for (const other of ROLES) if (other !== role) await expectFinished(results, other);
}
