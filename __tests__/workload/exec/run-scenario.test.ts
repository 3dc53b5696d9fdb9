import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { cleanClusters, leftoversOf } from '../../../workload/exec/clean-clusters.js';
import { openJournal, readJournalText } from '../../../workload/exec/journal.js';
import { attemptOutcomeSchema } from '../../../model/attempt-outcome.js';
import { silentProgress } from '../../../workload/platform/progress.js';
import { dieAt, fullAt } from '../../helpers/broken-journals.js';
import { createRunWorld, type RunWorld } from '../../helpers/run-world.js';

/** Many whole runs in one case, on a machine that may be busy. */
const BUSY = 60_000;
jest.setTimeout(BUSY);

let world: RunWorld;

beforeEach(async () => {
  world = await createRunWorld(2);
});
afterEach(async () => {
  await world.remove();
});

async function outcome(role: string) {
  const text = await readFile(world.paths.attempt(role, 1).outcome, 'utf8');
  return attemptOutcomeSchema.parse(JSON.parse(text));
}

async function events() {
  return readJournalText(await readFile(world.paths.journal, 'utf8')).entries;
}

const record = (role: string) => world.results.find((one) => one.record.cluster === role)?.record;

describe('a run', () => {
  it('takes all clusters through all phases, replaces every pod, and leaves nothing', async () => {
    const end = await world.drive(world.run(world.connect()));
    expect(end.interrupted).toBe(false);
    for (const role of ['mesh-001', 'mesh-002']) {
      const { ending, phases, stimuli, replaced } = await outcome(role);
      expect(ending).toEqual({ state: 'finished' });
      expect(phases.map(({ name }) => name)).toEqual(['load', 'settle', 'burst', 'delete']);
      expect(stimuli.map(({ asked }) => asked)).toEqual([20, 20]);
      for (const { achieved } of stimuli) expect(achieved).toBeGreaterThan(18);
      expect(replaced).toEqual([{ phase: 'burst', expected: 12, replaced: 12 }]);
    }
    expect(world.results.map(({ findings }) => findings?.podStartup.all.length)).toEqual([6, 6]);
    expect(leftoversOf(end.cleaned)).toEqual([]);
    for (const cluster of world.clusters) expect(cluster.names('namespaces')).toEqual([]);
  });

  it('begins a barrier phase nowhere before it is in the journal everywhere', async () => {
    await world.drive(world.run(world.connect()));
    const lines = await events();
    const at = (event: string, phase: string, cluster: string): number =>
      lines.findIndex(
        (line) =>
          line.event === event && line.data?.['phase'] === phase && line.cluster === cluster,
      );
    for (const phase of ['load', 'settle', 'burst']) {
      const starts = ['mesh-001', 'mesh-002'].map((role) => at('phase-started', phase, role));
      const ends = ['mesh-001', 'mesh-002'].map((role) => at('phase-ended', phase, role));
      expect(Math.min(...starts)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...starts)).toBeLessThan(Math.min(...ends));
    }
    const skews = lines.filter(({ data }) => data?.['skewMs'] !== undefined);
    expect(skews.map(({ data }) => data?.['phase'])).toEqual(['load', 'settle', 'burst']);
  });

  it('goes on without a cluster that is not there, and names it', async () => {
    await world.clusters[1]?.close();
    const end = await world.drive(world.run(world.connect()));
    expect(record('mesh-001')?.ending.state).toBe('finished');
    expect(record('mesh-002')?.ending).toMatchObject({
      state: 'failed',
      cause: 'infrastructure',
      code: 'api-server-unreachable',
    });
    expect(leftoversOf(end.cleaned)[0]).toMatch(/^mesh-002: /);
  });

  it('lets the others finish when an API server freezes in the middle', async () => {
    const work = world.run(world.connect());
    await loaded(1);
    world.clusters[1]?.freeze();
    await world.drive(work);
    expect(record('mesh-001')?.ending.state).toBe('finished');
    expect(record('mesh-002')?.ending).toMatchObject({ code: 'api-server-unreachable' });
    expect((await outcome('mesh-002')).phases.map(({ name }) => name)).toContain('load');
  });

  it('fails for a cluster whose pods do not come, with what was missing', async () => {
    world.clusters[0]?.stall();
    await world.drive(world.run(world.connect()));
    expect(record('mesh-001')?.ending).toMatchObject({
      cause: 'workload-failed',
      code: 'pods-not-as-wanted',
      text: expect.stringContaining('0 of 12 pods run'),
    });
    expect(record('mesh-002')?.ending.state).toBe('finished');
  });

  it('keeps what it has when it is interrupted, and cleans up', async () => {
    const work = world.run(world.connect());
    await loaded(0);
    world.interrupt.abort(new Error('interrupted by SIGINT'));
    const end = await world.drive(work);
    expect(end.interrupted).toBe(true);
    const { ending, phases } = await outcome('mesh-001');
    expect(ending.state).toBe('interrupted');
    expect(phases[0]?.name).toBe('load');
    expect(world.results).toHaveLength(2);
    expect((await events()).map(({ event }) => event)).toContain('interrupted');
    for (const cluster of world.clusters) expect(cluster.names('namespaces')).toEqual([]);
  });
});

describe('a run whose disk is full', () => {
  it(
    'fails with its folder, stops everywhere and leaves nothing, at whichever line it fills',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 2, max: 14 }), async (line) => {
          const own = await createRunWorld(2);
          try {
            const journal = fullAt(line, await openJournal(own.paths.journal, own.clock));
            const work = own.drive(own.run(own.connect(), { journal }));
            await expect(work).rejects.toMatchObject({ code: 'run/folder-unwritable' });
            for (const cluster of own.clusters) expect(cluster.names('namespaces')).toEqual([]);
          } finally {
            await own.remove();
          }
        }),
        { numRuns: 6 },
      );
    },
    BUSY,
  );
});

describe('cleaning up after a runner that was killed', () => {
  it(
    'leaves nothing, at whichever line of the journal it was killed',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 24 }), async (line) => {
          const own = await createRunWorld(2);
          try {
            const clusters = own.connect();
            const killed = dieAt(line, await openJournal(own.paths.journal, own.clock));
            own.run(clusters, { journal: killed.journal }).catch(() => undefined);
            await own.drive(Promise.race([killed.dead, steps(own, 400)]));
            for (const one of clusters)
              if (one.state === 'connected') await one.connection.kube.close();
            const { clock, plan } = own;
            const signal = new AbortController().signal;
            const request = { clusters: own.connect(), runId: plan.runId, clock, signal };
            const cleaned = await own.drive(
              cleanClusters({ ...request, progress: silentProgress }),
            );
            expect(leftoversOf(cleaned)).toEqual([]);
            for (const cluster of own.clusters) expect(cluster.names('namespaces')).toEqual([]);
          } finally {
            await own.remove();
          }
        }),
        { numRuns: 12 },
      );
    },
    BUSY,
  );
});

async function steps(own: RunWorld, count: number): Promise<void> {
  await own.clock.sleep(count * 20);
}

/** Waits until a cluster has the pods of its load. */
async function loaded(index: number): Promise<void> {
  for (let step = 0; step < 500; step += 1) {
    if (world.clusters[index]?.names('pods').length === 12) return;
    await world.drive(world.clock.sleep(20));
  }
  throw new Error('the load never came');
}
