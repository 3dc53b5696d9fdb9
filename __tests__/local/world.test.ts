import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { refuseForeignFolder } from '../../local/state/ownership.js';
import { stateDirectory, withMeshLock } from '../../local/world.js';
import { createLocalWorld, type TestLocalWorld } from '../helpers/local-world.js';

let test: TestLocalWorld;
beforeEach(async () => {
  test = await createLocalWorld();
});
afterEach(() => test.remove());

const locked = <T>(deed: () => Promise<T>, stateDir = test.paths.root) =>
  withMeshLock(stateDir, 'meshscale up', test.world, deed);

describe('the state folder', () => {
  it.each([
    ['./mine', {}, '/here/mine'],
    [undefined, { MESHSCALE_HOME: '/home/x' }, '/home/x/mesh'],
    [undefined, { MESHSCALE_HOME: 'rel' }, '/here/rel/mesh'],
    [undefined, { XDG_STATE_HOME: '/xdg', HOME: '/home/x' }, '/xdg/meshscale/mesh'],
    [undefined, { XDG_STATE_HOME: 'relative', HOME: '/h' }, '/h/.local/state/meshscale/mesh'],
    [undefined, { MESHSCALE_HOME: '', HOME: '/h' }, '/h/.local/state/meshscale/mesh'],
  ])('is, for --state %s and %j, %s', (given, env, expected) => {
    expect(stateDirectory(given, env, '/here')).toBe(expected);
  });
});

describe('changing a mesh', () => {
  it('is for one at a time', async () => {
    await locked(async () => {
      await expect(locked(() => Promise.resolve())).rejects.toMatchObject({ code: 'mesh/busy' });
    });
    await expect(locked(() => Promise.resolve('mine'))).resolves.toBe('mine');
  });

  it('leaves no folder when nothing came of it', async () => {
    await expect(locked(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(existsSync(test.paths.root)).toBe(false);
  });

  it('leaves the folder when something is in it', async () => {
    await locked(() => writeFile(test.paths.meshFile, '{}'));
    expect(await readdir(test.paths.root)).toEqual(['mesh.json']);
  });

  it('works for many that come and go at once', async () => {
    const turns = Array.from({ length: 30 }, async () => {
      try {
        return await locked(() => Promise.resolve('done'));
      } catch (error) {
        return error instanceof Error && 'code' in error ? error.code : error;
      }
    });
    const results = new Set(await Promise.all(turns));
    expect([...results].toSorted()).toEqual(['done', 'mesh/busy']);
  });

  it.each(['below a file', 'where a file is'])('fails in words %s', async (place) => {
    const file = `${test.paths.root}.file`;
    await writeFile(file, '');
    const stateDir = place === 'below a file' ? join(file, 'state') : file;
    await expect(locked(() => Promise.resolve(), stateDir)).rejects.toMatchObject({
      code: 'mesh/state-unwritable',
      exit: 'infrastructure',
      given: expect.stringContaining(stateDir),
    });
  });

  it('fails in words, and at once, where a file system takes no folders', async () => {
    await expect(locked(() => Promise.resolve(), '/proc/meshscale/mesh')).rejects.toMatchObject({
      code: 'mesh/state-unwritable',
      given: expect.stringContaining('/proc/meshscale'),
    });
  });

  it('fails in words when the disk is full on the way', async () => {
    const full = Object.assign(new Error('ENOSPC: no space left'), {
      code: 'ENOSPC',
      syscall: 'write',
    });
    await expect(locked(() => Promise.reject(full))).rejects.toMatchObject({
      code: 'mesh/state-unwritable',
    });
  });

  it('does not blame the folder for a program that may not be run', async () => {
    const spawn = Object.assign(new Error('spawn /x/etcd EACCES'), {
      code: 'EACCES',
      syscall: 'spawn /x/etcd',
    });
    await expect(locked(() => Promise.reject(spawn))).rejects.toBe(spawn);
  });
});

describe('a folder of somebody else', () => {
  it('is fine as long as its names are others', async () => {
    await mkdir(join(test.paths.root, 'lost+found'), { recursive: true });
    await expect(refuseForeignFolder(test.paths)).resolves.toBeUndefined();
  });

  it('is ours when mesh.json or processes.json is there, in whatever state', async () => {
    await mkdir(test.paths.logs, { recursive: true });
    await writeFile(test.paths.processFile, '');
    await expect(refuseForeignFolder(test.paths)).resolves.toBeUndefined();
  });

  it.each(['logs', 'pki', 'prometheus', 'mesh-001'])('fails when it has a %s', async (name) => {
    await mkdir(join(test.paths.root, name), { recursive: true });
    await expect(refuseForeignFolder(test.paths)).rejects.toMatchObject({
      code: 'mesh/state-foreign',
      exit: 'bad-input',
      given: `${test.paths.root}: ${name}`,
    });
  });
});
