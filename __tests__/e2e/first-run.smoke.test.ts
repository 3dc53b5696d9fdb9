import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { firstRunTests } from '../helpers/first-run.js';
import { createLocalMesh, type LocalMesh } from '../helpers/local-mesh.js';

/** Real processes on a machine that may be busy with other tests. */
const STEP = 240_000;

let mesh: LocalMesh;
beforeAll(async () => {
  mesh = await createLocalMesh();
  const up = await mesh.up('--clusters', '2', '--nodes', '5');
  if (up.code !== 0) throw new Error(up.stderr);
}, STEP);
afterAll(() => mesh.remove(), STEP);

firstRunTests(() => mesh.stateDir);

describe('the mesh after its runs', () => {
  it(
    'goes down and leaves nothing',
    async () => {
      const ports = await mesh.ports();
      expect(await mesh.down()).toMatchObject({ code: 0 });
      expect(await mesh.leftovers(ports)).toEqual([]);
    },
    STEP,
  );
});
