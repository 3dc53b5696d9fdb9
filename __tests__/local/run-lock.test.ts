import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { down } from '../../local/down.js';
import { holdForRun, refuseUnderRun } from '../../local/run-lock.js';
import { meshFile } from '../../local/state/mesh-file.js';
import { withMeshLock } from '../../local/world.js';
import { createLocalWorld, type TestLocalWorld } from '../helpers/local-world.js';

let test: TestLocalWorld;
beforeEach(async () => {
  test = await createLocalWorld();
  await mkdir(test.paths.root);
  await writeFile(test.paths.processFile, '');
});
afterEach(() => test.remove());

const hold = (runId = 'run-1') => holdForRun(test.paths.root, runId, test.world);

describe('a mesh that a run holds', () => {
  it('fails to go down until the run has ended', async () => {
    const held = await hold();
    await expect(down(test.paths.root, test.world)).rejects.toMatchObject({
      code: 'mesh/in-use',
      exit: 'busy',
      given: expect.stringContaining('run run-1'),
    });
    await held.release();
    await expect(refuseUnderRun(test.paths, test.world)).resolves.toBeUndefined();
  });

  it('fails for a second run', async () => {
    const held = await hold();
    await expect(hold('run-2')).rejects.toMatchObject({ code: 'mesh/in-use' });
    await held.release();
  });

  it('goes down when the run was killed, and its lock goes, too', async () => {
    const dead = { pid: 1, startTime: 'never', host: (await import('node:os')).hostname() };
    await writeFile(test.paths.runLock, JSON.stringify({ ...dead, purpose: 'run run-1' }));
    await down(test.paths.root, test.world);
    expect(existsSync(test.paths.root)).toBe(false);
  });
});

describe('a run', () => {
  it('fails to begin while somebody changes the mesh, and leaves no lock', async () => {
    await withMeshLock(test.paths.root, 'meshscale up', test.world, async () => {
      await expect(hold()).rejects.toMatchObject({ code: 'mesh/busy' });
    });
    expect(existsSync(test.paths.runLock)).toBe(false);
  });

  it('holds nothing where there is no mesh, and makes no folder', async () => {
    const nowhere = join(dirname(test.paths.root), 'nowhere');
    await (await holdForRun(nowhere, 'run-1', test.world)).release();
    expect(existsSync(nowhere)).toBe(false);
  });
});

describe('a state folder below a file', () => {
  it('fails in words when it is read', async () => {
    const file = join(test.paths.processFile, 'mesh', 'mesh.json');
    await expect(meshFile(file).read()).rejects.toMatchObject({ code: 'mesh/state-unwritable' });
  });
});
