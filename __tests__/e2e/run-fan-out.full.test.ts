import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { cli, cliJson, type RunningCli } from '../helpers/cli.js';
import { comparableRows } from '../helpers/comparable-rows.js';
import { endingOf, startStandInMesh } from '../helpers/stand-in-mesh.js';
import type { StandInMesh } from '../helpers/stand-in-mesh.js';

/** Real processes on a machine that may be busy with other tests. */
jest.setTimeout(900_000);

const CLUSTERS = 12;
const FLAGS = [
  ...['--parallel', '6', '--set', 'operationTimeout=10s', '--set', 'holdDuration=2s'],
  ...['--set', 'apiServerCallsPerSecond=5'],
];
const ENDINGS = {
  'mesh-002': { ending: 'killed', atStep: 4 },
  'mesh-004': { ending: 'hang', atStep: 4 },
  'mesh-006': { ending: 'half-report' },
  'mesh-008': { ending: 'prometheus-timeout', untilAttempt: 1 },
  'mesh-010': { ending: 'namespaces-taken' },
};
const CODES: Readonly<Record<string, string>> = {
  'mesh-002': 'engine-killed',
  'mesh-004': 'phase-timeout',
  'mesh-006': 'half-report',
  'mesh-010': 'namespaces-taken',
};

let mesh: StandInMesh;
let expected: readonly string[];
beforeAll(async () => {
  mesh = await startStandInMesh(CLUSTERS);
  await mesh.script(ENDINGS);
});
afterAll(() => mesh.remove());

async function expectOutcomes(folder: string): Promise<void> {
  for (const role of mesh.roles) {
    expect([role, await endingOf(folder, role)]).toEqual([role, CODES[role] ?? 'finished']);
  }
}

async function attemptsHaveEnded(folder: string, count: number): Promise<void> {
  for (let look = 0; look < 1_200; look += 1) {
    const text = await readFile(join(folder, 'journal.jsonl'), 'utf8').catch(() => '');
    if (text.split('"attempt-ended"').length > count) return;
    await pause(100);
  }
  throw new Error(`${count} attempts never ended`);
}

/** The folder of a run that has just been started. */
async function folderOf(running: RunningCli, before: readonly string[]): Promise<string> {
  for (let look = 0; look < 600; look += 1) {
    const names = await readdir(mesh.out).catch(() => []);
    const found = names.find((name) => !before.includes(name));
    if (found !== undefined) return join(mesh.out, found);
    await pause(100);
  }
  throw new Error(`no run folder: ${running.text()}`);
}

describe('ClusterLoader2 on many clusters, some of which go wrong', () => {
  it('gives each its own ending, another attempt where it may help, and tells it in the exit code', async () => {
    const { code, stderr } = await mesh.run(FLAGS).ended;
    expect({ code, stderr }).toMatchObject({ code: 5 });
    expect(stderr).toContain('6 of 12 clusters at once: --parallel 6');
    const folder = await mesh.folder();
    await expectOutcomes(folder);
    expect((await readdir(join(folder, 'clusters', 'mesh-008'))).sort()).toEqual([
      'attempt-1',
      'attempt-2',
    ]);
    expected = await comparableRows(folder);
    const statuses = expected.filter((row) => row.includes(' ClusterStatus '));
    expect(statuses).toHaveLength(CLUSTERS);
  });

  it('has the same rows after kill -9 and resume, refuses a second runner, and is watched', async () => {
    const before = await readdir(mesh.out);
    const running = mesh.run(FLAGS);
    const folder = await folderOf(running, before);
    await attemptsHaveEnded(folder, 4);
    const second = await mesh.resume(folder).ended;
    expect(second).toMatchObject({ code: 8, stderr: expect.stringContaining('run/busy') });
    running.child.kill('SIGKILL');
    await running.ended;
    expect(await cliJson(['run', 'status', folder])).toMatchObject({ state: 'broken-off' });
    const resumed = mesh.resume(folder);
    await attemptsHaveEnded(folder, 8);
    const watched = cli(['run', 'status', basename(folder), '--watch', '--out', mesh.out]);
    const { code, stderr } = await resumed.ended;
    expect({ code, stderr }).toMatchObject({ code: 5 });
    await expectOutcomes(folder);
    expect(await comparableRows(folder)).toEqual(expected);
    expect((await watched).stdout).toMatch(/mesh-001 {2}finished/);
    const again = await mesh.resume(folder).ended;
    expect(again.code).toBe(5);
    expect(await comparableRows(folder)).toEqual(expected);
  });
});
