import { createServer } from 'node:net';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  appendDurably,
  readIfThere,
  sizeOf,
  tailOf,
  writeAtomic,
} from '../../../workload/platform/files.js';
import { findFreePorts, portIsFree } from '../../../workload/platform/ports.js';
import { seededRandom, systemRandom } from '../../../workload/platform/random.js';
import { waitFor } from '../../../workload/platform/wait.js';
import { createVirtualClock, settled } from '../../helpers/virtual-clock.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platform-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('files', () => {
  it('are replaced whole, with the mode that is asked for, and without a trace', async () => {
    const file = join(folder, 'a');
    await writeFile(file, 'old', { mode: 0o644 });
    await writeAtomic(file, 'new', 0o600);
    expect(await readFile(file, 'utf8')).toBe('new');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['a']);
  });

  it('fail to be replaced without leaving a part', async () => {
    await expect(writeAtomic(folder, 'x')).rejects.toThrow();
    expect(await readdir(folder)).toEqual([]);
  });

  it('are undefined, and of no size, when they are not there', async () => {
    expect(await readIfThere(join(folder, 'none'))).toBeUndefined();
    expect(await sizeOf(join(folder, 'none'))).toBe(0);
    await expect(readIfThere(folder)).rejects.toMatchObject({ code: 'EISDIR' });
  });

  it('have an end, which can be asked for from some byte on', async () => {
    const file = join(folder, 'log');
    expect(await tailOf(file, 3)).toEqual([]);
    for (const line of ['one', 'two', 'three']) await appendDurably(file, line);
    expect(await tailOf(file, 2)).toEqual(['two', 'three']);
    expect(await tailOf(file, 9, 4)).toEqual(['two', 'three']);
    expect(await tailOf(file, 9, await sizeOf(file))).toEqual([]);
  });
});

describe('free ports', () => {
  it('are different ones, also for two searches at once', async () => {
    const searches = [findFreePorts(40, systemRandom), findFreePorts(40, systemRandom)];
    const ports = (await Promise.all(searches)).flatMap((found) =>
      found.state === 'found' ? found.ports : [],
    );
    expect(new Set(ports).size).toBe(80);
  });

  it('are none that are taken or listened on', async () => {
    const first = await findFreePorts(1, seededRandom(3));
    if (first.state === 'short') throw new Error('no port');
    const [port = 0] = first.ports;
    const server = createServer().listen(port, '127.0.0.1');
    expect(await portIsFree(port)).toBe(false);
    expect(await findFreePorts(1, seededRandom(3))).not.toEqual(first);
    await new Promise((resolve) => server.close(resolve));
    expect(await portIsFree(port)).toBe(true);
    expect(await findFreePorts(1, seededRandom(3), new Set([port]))).not.toEqual(first);
  });
});

describe('chance', () => {
  it('is the same for the same seed, and keeps to its bounds', () => {
    fc.assert(
      fc.property(fc.integer(), fc.nat(1_000), (seed, width) => {
        const [one, two] = [seededRandom(seed), seededRandom(seed)];
        for (let index = 0; index < 20; index += 1) {
          const value = one.integer(5, 5 + width);
          if (value < 5 || value > 5 + width || value !== two.integer(5, 5 + width)) return false;
        }
        return true;
      }),
    );
    const seen = new Set(Array.from({ length: 200 }, () => systemRandom.integer(1, 3)));
    expect([...seen].toSorted()).toEqual([1, 2, 3]);
  });
});

describe('a wait', () => {
  const waiting = (missing: string) =>
    Promise.resolve({ state: 'waiting' as const, missing: [missing] });

  it('looks at once, then every period, and once more at the very end', async () => {
    const clock = createVirtualClock();
    const looks: number[] = [];
    const wait = waitFor({ clock, budget: 250, period: 100 }, () => {
      looks.push(Number(clock.monoNs() / 1_000_000n));
      return waiting('bread');
    });
    await clock.advance(1_000);
    expect(await wait).toEqual({ state: 'timed-out', missing: ['bread'], elapsed: 250 });
    expect(looks).toEqual([0, 100, 200, 250]);
  });

  it('with no budget is one look', async () => {
    const clock = createVirtualClock();
    const wait = await waitFor({ clock, budget: 0, period: 100 }, () => waiting('x'));
    expect(wait).toMatchObject({ state: 'timed-out', elapsed: 0 });
  });

  it('ends as soon as its signal aborts', async () => {
    const clock = createVirtualClock();
    const caller = new AbortController();
    const bounds = { clock, budget: 1_000, period: 100, signal: caller.signal };
    const wait = waitFor(bounds, () => waiting('x'));
    await settled();
    caller.abort(new Error('enough'));
    await expect(wait).rejects.toThrow('enough');
    expect(clock.sleepers()).toBe(0);
  });
});
