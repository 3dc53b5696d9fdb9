import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { seededRandom } from '../../workload/platform/random.js';
import { cli, cliJson } from '../helpers/cli.js';
import { ourNamespaces, resultsOf } from '../helpers/mesh-runs.js';
import { meshWithRuns } from '../helpers/mesh-with-runs.js';
import { expectFinished, expectWhole } from '../helpers/run-expectations.js';

/** Real processes on a machine that may be busy with other tests. */
jest.setTimeout(600_000);

/** Others by MESHSCALE_TEST_SEED and MESHSCALE_TEST_ROUNDS; the seed that was used is printed. */
const SEED = Number(process.env['MESHSCALE_TEST_SEED'] ?? 20);
const ROUNDS = Number(process.env['MESHSCALE_TEST_ROUNDS'] ?? 20);

const random = seededRandom(SEED);
const told: string[] = [];
const rounds = Array.from({ length: ROUNDS }, (_, index) => ({
  round: index + 1,
  part: random.integer(1, 99) / 100,
}));
/** How long a whole run takes here: moments of kills are parts of it. */
let whole = 30_000;

const { mesh, runs } = meshWithRuns();
afterAll(() => {
  process.stderr.write(`seed ${SEED}\n${told.join('\n')}\n`);
});

describe('a run whose runner is killed with SIGKILL', () => {
  it('is a whole run when nobody kills it', async () => {
    const start = Date.now();
    await expectGoodRun();
    whole = Date.now() - start;
  });

  it.each(rounds)(
    'round $round: leaves what can be cleaned and read at $part',
    async ({ part }) => {
      const before = await readdir(runs().out);
      const running = runs().start();
      await pause(part * whole);
      running.child.kill('SIGKILL');
      const { code } = await running.ended;
      const [name] = (await readdir(runs().out)).filter((one) => !before.includes(one));
      const last = running.text().trim().split('\n').at(-1) ?? '';
      const moment = `${Math.round(part * whole)} ms, ${code === null ? `after "${last}"` : 'ended'}`;
      const found = name === undefined ? 'no folder yet' : await lookAt(join(runs().out, name));
      told.push(`${moment}: ${found}`);
      expect(await ourNamespaces(mesh())).toEqual([]);
    },
  );

  it('does not keep the next run from being whole', expectGoodRun);
});

async function expectGoodRun(): Promise<void> {
  const run = await runs().run();
  expect({ code: run.code, said: run.stderr }).toMatchObject({ code: 0 });
  const results = await expectWhole(run);
  await expectFinished(results, 'mesh-001');
  await expectFinished(results, 'mesh-002');
}

/** Status, rows and report can be had of it before and after the clean-up, which leaves nothing. */
async function lookAt(folder: string): Promise<string> {
  const status = (await cliJson(['run', 'status', folder])) as { state: string };
  expect(['not-begun', 'broken-off', 'ended']).toContain(status.state);
  const cleanup = await cli(['cleanup', folder]);
  expect({ code: cleanup.code, said: cleanup.stderr }).toMatchObject({ code: 0 });
  if (status.state === 'not-begun') return status.state;
  const collect = await cli(['collect', folder]);
  const report = await cli(['report', folder]);
  expect([0, 3, 4, 5, 6]).toContain(report.code);
  expect({ collect: collect.code, said: collect.stderr }).toMatchObject({ collect: report.code });
  const { verdict, of } = await resultsOf(folder);
  expect(of('ClusterStatus')).toHaveLength(2);
  if (status.state === 'broken-off') {
    expect(verdict.judgement.verdict).toBe('error');
    const texts = verdict.judgement.reasons.map(({ text }) => text).join('\n');
    expect(texts).toMatch(/the runner ended before|no attempt was made/);
  }
  return `${status.state}, ${verdict.judgement.verdict}`;
}
