import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { stateFile } from '../../../local/state/state-file.js';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'state-file-'));
  path = join(folder, 'thing.json');
});
afterEach(() => rm(folder, { recursive: true }));

const thing = () => stateFile(path, 3, z.object({ name: z.string(), count: z.int() }));

describe('a state file', () => {
  it('is undefined while there is none', async () => {
    expect(await thing().read()).toBeUndefined();
  });

  it('gives back what was written, with its version first and for the owner only', async () => {
    await thing().write({ name: 'a', count: 1 });
    expect(await thing().read()).toEqual({ name: 'a', count: 1 });
    expect((await readFile(path, 'utf8')).split('\n')[1]).toBe('  "schemaVersion": 3,');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('is whole at every moment, however many write it', async () => {
    const file = thing();
    await file.write({ name: 'a', count: 0 });
    const writes = Array.from({ length: 20 }, (_, count) => file.write({ name: 'a', count }));
    const reads = Array.from({ length: 20 }, () => file.read());
    for (const content of await Promise.all(reads)) expect(content?.name).toBe('a');
    await Promise.all(writes);
    expect(await readdir(folder)).toEqual(['thing.json']);
  });

  it.each([
    ['of another version', '{"schemaVersion":4,"name":"a","count":1}', 'mesh/state-version'],
    ['without a version', '{"name":"a","count":1}', 'mesh/state-unreadable'],
    ['cut off', '{"schemaVersion":3,"na', 'mesh/state-unreadable'],
    ['empty', '', 'mesh/state-unreadable'],
    ['of another shape', '{"schemaVersion":3,"name":7,"count":1}', 'mesh/state-unreadable'],
    ['that is a list', '[]', 'mesh/state-unreadable'],
  ])('fails for one %s, names it and points to `down`', async (_, text, code) => {
    await writeFile(path, text);
    await expect(thing().read()).rejects.toMatchObject({
      code,
      exit: 'infrastructure',
      given: expect.stringContaining(path),
      next: expect.stringContaining('meshscale down'),
    });
  });
});
