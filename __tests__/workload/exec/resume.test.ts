import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import type { Scenario } from '../../../model/scenario-spec.js';
import { openJournal, readJournalText } from '../../../workload/exec/journal.js';
import { readResumption } from '../../../workload/exec/resumption.js';
import { closeClusters } from '../../../workload/inventory/cluster-connection.js';
import { dieAt } from '../../helpers/broken-journals.js';
import { createRunWorld, FREE_PHASES, PHASES, type RunWorld } from '../../helpers/run-world.js';
import { failureOfClass, scriptedEngine } from '../../helpers/scripted-engine.js';

// Many whole runs in one case, on a machine that may be busy.
jest.setTimeout(180_000);

/** More of them by MESHSCALE_TEST_ROUNDS. */
const ROUNDS = Number(process.env['MESHSCALE_TEST_ROUNDS'] ?? 3);

const ROLES = ['mesh-001', 'mesh-002', 'mesh-003'];
/** One that fails for good, and one that comes back. */
const SCRIPT = {
  'mesh-002': [failureOfClass('credentials'), failureOfClass('credentials')],
};

async function withWorld<T>(
  changes: Partial<Scenario>,
  deed: (world: RunWorld) => Promise<T>,
): Promise<T> {
  const world = await createRunWorld(ROLES.length, changes);
  try {
    return await deed(world);
  } finally {
    await world.remove();
  }
}

const parallel = { limit: ROLES.length, reason: 'a test' };

/** Runs until the runner dies at a line of the journal; then another one goes on. */
async function brokenAndResumed(world: RunWorld, line: number, limit: number): Promise<void> {
  const first = world.connect();
  const killed = dieAt(line, await openJournal(world.paths.journal, world.clock));
  const createEngine = scriptedEngine(SCRIPT);
  const part = { createEngine, parallel: { ...parallel, limit } };
  const whole = world.run(first, { ...part, journal: killed.journal }).then(() => undefined);
  whole.catch(() => undefined);
  await world.drive(Promise.race([killed.dead, whole]));
  await closeClusters(first);
  const { entries } = readJournalText(await readFile(world.paths.journal, 'utf8'));
  if (entries.length === 0) return;
  const resumption = await readResumption(world.plan, world.paths);
  if (resumption.over) return;
  await world.drive(world.run(world.connect(), { ...part, resumption }));
}

describe.each([
  ['that observe each other', PHASES, 3],
  ['that do not', FREE_PHASES, 2],
] as const)('a resumed run of clusters %s', (_name, phases, limit) => {
  it('has the rows of an unbroken one and leaves nothing, wherever it was killed', async () => {
    const expected = await withWorld({ phases }, async (world) => {
      const createEngine = scriptedEngine(SCRIPT);
      const part = { createEngine, parallel: { ...parallel, limit } };
      await world.drive(world.run(world.connect(), part));
      return await world.rows();
    });
    expect(expected.length).toBeGreaterThan(10);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 34 }), (line) =>
        withWorld({ phases }, async (world) => {
          await brokenAndResumed(world, line, limit);
          expect(await world.rows()).toEqual(expected);
          for (const cluster of world.clusters) expect(cluster.names('namespaces')).toEqual([]);
        }),
      ),
      { numRuns: ROUNDS },
    );
  });
});

describe('resuming', () => {
  const states = async (world: RunWorld) => {
    const { kept, next, over } = await readResumption(world.plan, world.paths);
    return { kept: kept.map(({ record }) => record.cluster), next: Object.fromEntries(next), over };
  };

  it('fails for a run that had not begun', async () => {
    await withWorld({}, async (world) => {
      await expect(readResumption(world.plan, world.paths)).rejects.toMatchObject({
        code: 'run/not-resumable',
      });
    });
  });

  it('has nothing to do after a run that came to its end', async () => {
    await withWorld({ phases: FREE_PHASES }, async (world) => {
      await world.drive(world.run(world.connect()));
      expect(await states(world)).toEqual({ kept: ROLES, next: {}, over: true });
    });
  });

  it('runs a cluster again that the user interrupted, and keeps those that were through', async () => {
    await withWorld({ phases: FREE_PHASES }, async (world) => {
      const createEngine = scriptedEngine({ 'mesh-003': ['hang'] });
      const work = world.run(world.connect(), { createEngine });
      await world.drive(world.clock.sleep(60_000));
      world.interrupt.abort(new Error('interrupted by SIGINT'));
      await world.drive(work);
      expect(await states(world)).toEqual({
        kept: ['mesh-001', 'mesh-002'],
        next: { 'mesh-003': 2 },
        over: false,
      });
    });
  });

  it('runs all of those again that observe each other, and keeps the earlier attempts', async () => {
    await withWorld({}, async (world) => {
      const killed = dieAt(12, await openJournal(world.paths.journal, world.clock));
      const first = world.connect();
      world.run(first, { journal: killed.journal }).catch(() => undefined);
      await world.drive(killed.dead);
      await closeClusters(first);
      const resumption = await readResumption(world.plan, world.paths);
      expect(resumption.kept).toEqual([]);
      await world.drive(world.run(world.connect(), { resumption }));
      for (const role of ROLES) {
        const folder = join(world.paths.root, 'clusters', role);
        expect(await readdir(folder)).toEqual(['attempt-1', 'attempt-2']);
      }
      expect(await states(world)).toEqual({ kept: ROLES, next: {}, over: true });
    });
  });
});
