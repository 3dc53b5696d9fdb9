import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { cli } from './cli.js';
import { createLocalMesh, killOne, type LocalMesh } from './local-mesh.js';
import { createMeshRuns, ourNamespaces, type MeshRuns } from './mesh-runs.js';

/** One mesh of two clusters for all cases of a file; each case finds it whole and clean. */
export interface MeshWithRuns {
  readonly mesh: () => LocalMesh;
  readonly runs: () => MeshRuns;
  /** Kills, stops or continues a process of `mesh-002`, or of another role. */
  readonly kill: (name: string, signal?: NodeJS.Signals, role?: string) => Promise<void>;
}

/** Registers what brings the mesh up before all cases, mends it after each, and takes it down. */
export function meshWithRuns(): MeshWithRuns {
  let mesh: LocalMesh;
  let runs: MeshRuns;
  beforeAll(async () => {
    mesh = await createLocalMesh();
    runs = await createMeshRuns(mesh);
    expect(await mesh.up('--clusters', '2', '--nodes', '3')).toMatchObject({ code: 0 });
  });
  afterEach(async () => {
    expect(await mesh.up()).toMatchObject({ code: 0 });
    const cleanup = await cli(['cleanup', '--all', '--state', mesh.stateDir]);
    expect(cleanup).toMatchObject({ code: 0 });
    expect(await ourNamespaces(mesh)).toEqual([]);
  });
  afterAll(async () => {
    await runs.remove();
    await mesh.remove();
  });
  return {
    mesh: () => mesh,
    runs: () => runs,
    kill: async (name, signal, role = 'mesh-002') => {
      killOne(await mesh.record(role, name), signal);
    },
  };
}
