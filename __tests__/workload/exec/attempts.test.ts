import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { readJournalText } from '../../../workload/exec/journal.js';
import { createRunWorld, FREE_PHASES, type RunWorld } from '../../helpers/run-world.js';
import { failureOfClass, scriptedEngine } from '../../helpers/scripted-engine.js';

// Whole runs, on a machine that may be busy.
jest.setTimeout(60_000);

/** Of each cluster that does not observe the others. */
const BUDGET = 60_000;

let together: RunWorld;
let free: RunWorld;
beforeEach(async () => {
  together = await createRunWorld(2);
  free = await createRunWorld(4, { phases: FREE_PHASES, budget: BUDGET });
});
afterEach(async () => {
  await together.remove();
  await free.remove();
});

const endings = ({ results }: RunWorld) =>
  [...results]
    .sort((one, other) => (one.record.cluster < other.record.cluster ? -1 : 1))
    .map(({ record }) => (record.ending.state === 'failed' ? record.ending.code : 'finished'));

async function events({ paths }: RunWorld, role: string) {
  const { entries } = readJournalText(await readFile(paths.journal, 'utf8'));
  return entries.filter(({ cluster }) => cluster === role);
}

describe('another attempt', () => {
  it('is made for a failure that passes, while the others wait at their barrier', async () => {
    const createEngine = scriptedEngine({ 'mesh-002': [failureOfClass('prom-setup')] });
    await together.drive(together.run(together.connect(), { createEngine }));
    expect(endings(together)).toEqual(['finished', 'finished']);
    const folder = join(together.paths.root, 'clusters', 'mesh-002');
    expect(await readdir(folder)).toEqual(['attempt-1', 'attempt-2']);
    const told = await events(together, 'mesh-002');
    expect(told.slice(0, 4)).toMatchObject([
      { event: 'attempt-started', attempt: 1 },
      { event: 'attempt-ended', attempt: 1, data: { state: 'failed' } },
      { event: 'cleaned', data: { state: 'clean' } },
      { event: 'attempt-started', attempt: 2, data: { after: 'prom-setup' } },
    ]);
    const phases = told.filter(({ event }) => event === 'phase-started');
    expect(phases.map(({ attempt }) => attempt)).toEqual([2, 2, 2, 2]);
    const skews = (await events(together, 'mesh-001')).filter(
      ({ event }) => event === 'phase-started',
    );
    expect(skews[0]?.seq).toBeGreaterThan(told[3]?.seq ?? Number.POSITIVE_INFINITY);
  });

  it('counts with its rows, and the first one is kept', async () => {
    const createEngine = scriptedEngine({ 'mesh-002': [failureOfClass('prom-setup')] });
    await together.drive(together.run(together.connect(), { createEngine }));
    const broken = await together.rows();
    const whole = await createRunWorld(2);
    try {
      await whole.drive(whole.run(whole.connect()));
      expect(broken).toEqual(await whole.rows());
    } finally {
      await whole.remove();
    }
  });

  it.each([
    ['api-503', ['api-503', 'api-503', 'api-503'], 2],
    ['cluster-version', ['cluster-version', 'cluster-version', 'cluster-version'], 3],
    ['credentials', ['credentials'], 1],
    ['a-thing-that-nobody-knows', ['a-thing-that-nobody-knows'], 1],
  ])('fails for good with %s when its attempts are used up', async (code, codes, attempts) => {
    const createEngine = scriptedEngine({ 'mesh-001': codes.map(failureOfClass) });
    await together.drive(together.run(together.connect(), { createEngine }));
    expect(endings(together)).toEqual([code, 'finished']);
    const told = await events(together, 'mesh-001');
    expect(told.filter(({ event }) => event === 'attempt-started')).toHaveLength(attempts);
  });
});

describe('clusters that do not observe each other', () => {
  it('run as many at once as they may, and a hanging one holds one place for its own time only', async () => {
    const started: string[] = [];
    const createEngine = scriptedEngine({ 'mesh-001': ['hang'] }, started);
    const parallel = { limit: 2, reason: 'a test' };
    await free.drive(free.run(free.connect(), { createEngine, parallel }));
    expect(started.slice(0, 2).sort()).toEqual(['mesh-001', 'mesh-002']);
    expect(started.slice(2)).toEqual(['mesh-003', 'mesh-004']);
    expect(endings(free)).toEqual(['budget-exceeded', 'finished', 'finished', 'finished']);
    const at = (role: string) => free.results.find(({ record }) => record.cluster === role)?.record;
    const [hung, next] = [at('mesh-001'), at('mesh-003')];
    // Time goes on in steps while answers are on their way.
    expect((hung?.endedAt ?? 0) - (hung?.startedAt ?? 0)).toBeLessThan(2 * BUDGET);
    expect(next?.startedAt).toBeLessThan(hung?.endedAt ?? 0);
  });

  it('have a time of their own, which begins when they do', async () => {
    const createEngine = scriptedEngine({ 'mesh-001': ['hang'], 'mesh-002': ['hang'] });
    const parallel = { limit: 1, reason: 'a test' };
    await free.drive(free.run(free.connect(), { createEngine, parallel }));
    expect(endings(free)).toEqual(['budget-exceeded', 'budget-exceeded', 'finished', 'finished']);
  });

  it('are cleaned as soon as they are through', async () => {
    const parallel = { limit: 1, reason: 'a test' };
    await free.drive(free.run(free.connect(), { parallel }));
    const order = ['mesh-001', 'mesh-002'].map((role) => events(free, role));
    const [first = [], second = []] = await Promise.all(order);
    expect(first.at(-1)).toMatchObject({ event: 'cleaned', data: { state: 'clean' } });
    expect(first.at(-1)?.seq).toBeLessThan(second[0]?.seq ?? 0);
  });
});
