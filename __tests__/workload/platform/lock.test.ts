import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { acquireLock, lockHolder, type LockResult } from '../../../workload/platform/lock.js';
import type { Processes, ProcessIdentity } from '../../../workload/platform/processes.js';
import { systemProcesses } from '../../../workload/platform/system-processes.js';
import { quickClock } from '../../helpers/local-world.js';
import { createVirtualClock } from '../../helpers/virtual-clock.js';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lock-'));
  file = join(folder, 'lock');
});
afterEach(() => rm(folder, { recursive: true }));

/** A machine on which exactly these processes live; we are the first of them. */
const machine = (...living: readonly ProcessIdentity[]): Processes => ({
  ...systemProcesses,
  self: () => living[0] ?? { pid: 0, startTime: '' },
  state: ({ pid, startTime }) =>
    living.some((one) => one.pid === pid && one.startTime === startTime) ? 'running' : 'gone',
});
const one = { pid: 101, startTime: 'a' };
const two = { pid: 102, startTime: 'b' };
const take = (processes: Processes, purpose = 'test') =>
  acquireLock(file, { processes, clock: quickClock, purpose });
const release = async (result: LockResult): Promise<void> => {
  if (result.state === 'taken') await result.release();
};
const heldBy = (pid: number, startTime: string, host = hostname()) =>
  writeFile(file, JSON.stringify({ pid, startTime, host, purpose: 'old' }));

describe('a lock', () => {
  it('is taken when nobody has it, and leaves nothing when it is released', async () => {
    const lock = await take(machine(one));
    expect(lock.state).toBe('taken');
    expect(await readdir(folder)).toEqual(['lock']);
    await release(lock);
    expect(await readdir(folder)).toEqual([]);
  });

  it('tells who holds it and what for', async () => {
    await take(machine(one, two), 'meshscale up');
    const second = await take(machine(two, one));
    expect(second).toMatchObject({ state: 'held', holder: { ...one, purpose: 'meshscale up' } });
    expect(await lockHolder(file, machine(one))).toMatchObject(one);
    expect(await lockHolder(file, machine(two))).toBeUndefined();
  });

  it('replaces a holder that died', async () => {
    await heldBy(one.pid, one.startTime);
    expect((await take(machine(two))).state).toBe('taken');
    expect(await readFile(file, 'utf8')).toContain('"pid":102');
  });

  it('replaces a holder whose process number belongs to a later process', async () => {
    await heldBy(one.pid, one.startTime);
    expect((await take(machine(two, { pid: one.pid, startTime: 'later' }))).state).toBe('taken');
  });

  it('replaces a lock that is damaged', async () => {
    await writeFile(file, '{"pid":');
    expect((await take(machine(one))).state).toBe('taken');
  });

  it('believes a lock of another host, whose processes it cannot see', async () => {
    await heldBy(one.pid, one.startTime, 'elsewhere');
    expect(await take(machine(two))).toMatchObject({
      state: 'held',
      holder: { host: 'elsewhere' },
    });
  });

  it('is taken by a waiter as soon as it is free', async () => {
    const first = await take(machine(one, two));
    const clock = createVirtualClock();
    const waiting = acquireLock(file, {
      processes: machine(two, one),
      clock,
      purpose: 'test',
      waitBudget: 10_000,
    });
    await clock.advance(1_000);
    await release(first);
    await clock.advance(1_000);
    expect((await waiting).state).toBe('taken');
  });

  it('leaves the lock of a successor alone when it is released late', async () => {
    const first = await take(machine(one));
    await rm(file);
    await take(machine(two));
    await release(first);
    expect(await readFile(file, 'utf8')).toContain('"pid":102');
  });

  it('replaces one that died while it removed a dead lock', async () => {
    await heldBy(one.pid, one.startTime);
    await writeFile(`${file}.claim`, await readFile(file, 'utf8'));
    expect((await take(machine(two))).state).toBe('taken');
    expect(await readdir(folder)).toEqual(['lock']);
  });

  it('is never given to two, also when many find a dead holder at once', async () => {
    const crowd = Array.from({ length: 12 }, (_, index) => ({ pid: 200 + index, startTime: 's' }));
    for (let round = 0; round < 15; round += 1) {
      await heldBy(one.pid, one.startTime);
      const results = await Promise.all(
        crowd.map((self) => take(machine(self, ...crowd.filter((other) => other !== self)))),
      );
      const taken = results.filter(({ state }) => state === 'taken');
      expect(taken).toHaveLength(1);
      await Promise.all(taken.map(release));
      expect((await readdir(folder)).filter((name) => name !== 'lock')).toEqual([]);
    }
  });
});
