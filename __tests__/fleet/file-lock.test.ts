import { describe, expect, it } from '@jest/globals';
import { readdir, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createFileLock } from '../../fleet/platform/file-lock.js';
import { FLEET_ID } from '../helpers/fleet-world.js';
import { withTemporaryFolder } from '../helpers/temporary-folder.js';

describe('the lock of a fleet', () => {
  it('has one holder for each fleet, whatever the spelling of its id, and leaves no file', async () => {
    await withTemporaryFolder(async (folder) => {
      const lock = createFileLock(folder);
      const first = await lock.tryTake(FLEET_ID, 'drain cmp1');
      const second = await createFileLock(folder).tryTake(FLEET_ID.toLowerCase(), 'leave');
      expect(second).toEqual({ state: 'held', holder: `process ${process.pid} (drain cmp1)` });
      expect(await lock.tryTake(`${FLEET_ID}2`, 'x')).toMatchObject({ state: 'taken' });
      if (first.state === 'taken') await first.release();
      expect(await lock.tryTake(FLEET_ID, 'leave')).toMatchObject({ state: 'taken' });
    });
  });

  it('is free when its holder is gone, is another process by now, or has left half a file', async () => {
    for (const text of [
      JSON.stringify({ pid: 2 ** 22 - 1, start: '1', host: hostname(), purpose: 'p' }),
      JSON.stringify({ pid: process.pid, start: '1', host: hostname(), purpose: 'p' }),
      '{"pid":',
    ]) {
      await withTemporaryFolder(async (folder) => {
        const lock = createFileLock(folder);
        const taken = await lock.tryTake(FLEET_ID, 'p');
        const [file = ''] = await readdir(folder);
        if (taken.state === 'taken') await taken.release();
        await writeFile(join(folder, file), text);
        expect(await lock.tryTake(FLEET_ID, 'q')).toMatchObject({ state: 'taken' });
        expect(await readdir(folder)).toEqual([file]);
      });
    }
  });

  it('makes its folder where that is missing, and fails at once where none can be made', async () => {
    await withTemporaryFolder(async (folder) => {
      const lock = createFileLock(join(folder, 'a', 'b'));
      expect(await lock.tryTake(FLEET_ID, 'p')).toMatchObject({ state: 'taken' });
    });
    const nowhere = createFileLock('/proc/meshscale/fleet-locks');
    await expect(nowhere.tryTake(FLEET_ID, 'p')).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('is taken by one alone when many find a dead holder at once', async () => {
    await withTemporaryFolder(async (folder) => {
      const lock = createFileLock(folder);
      const taken = await lock.tryTake(FLEET_ID, 'p');
      const [file = ''] = await readdir(folder);
      if (taken.state === 'taken') await taken.release();
      const dead = { pid: 2 ** 22 - 1, start: '1', host: hostname(), purpose: 'p' };
      await writeFile(join(folder, file), JSON.stringify(dead));
      const all = await Promise.all(
        Array.from({ length: 12 }, () => createFileLock(folder).tryTake(FLEET_ID, 'q')),
      );
      expect(all.filter(({ state }) => state === 'taken')).toHaveLength(1);
    });
  });
});
