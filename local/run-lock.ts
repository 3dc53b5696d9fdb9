import { acquireLock, lockHolder } from '../workload/platform/lock.js';
import { errorCode } from '../workload/platform/files.js';
import { meshBusy, meshInUse } from './errors.js';
import { isUnwritable } from './is-unwritable.js';
import { stateUnwritable } from './state/errors.js';
import { meshPaths, type MeshPaths } from './state/paths.js';
import type { LocalWorld } from './world.js';

/** A mesh that a run holds. */
export interface HeldMesh {
  release(): Promise<void>;
}

type Holding = Pick<LocalWorld, 'processes' | 'clock'>;

/**
 * Holds the mesh in `stateDir` for the run `runId`, so that nobody takes it away under the run. Throws
 * mesh/in-use when another run holds it, and mesh/busy while somebody changes it. The lock of a killed
 * run is free. Without a mesh nothing is held: who connects to it finds that out.
 */
export async function holdForRun(
  stateDir: string,
  runId: string,
  world: Holding,
): Promise<HeldMesh> {
  const mesh = meshPaths(stateDir);
  const lock = await take(mesh, runId, world);
  if (lock === undefined) return { release: () => Promise.resolve() };
  // Both sides take their own lock first and look at the other's then: one of them always sees it.
  const changing = await lockHolder(mesh.lock, world.processes);
  if (changing === undefined) return lock;
  await lock.release();
  throw meshBusy(changing);
}

/** Throws mesh/in-use while a run holds the mesh. For who holds the lock of changes. */
export async function refuseUnderRun(
  mesh: MeshPaths,
  { processes }: Pick<LocalWorld, 'processes'>,
): Promise<void> {
  const holder = await lockHolder(mesh.runLock, processes);
  if (holder !== undefined) throw meshInUse(holder);
}

async function take(mesh: MeshPaths, runId: string, world: Holding): Promise<HeldMesh | undefined> {
  try {
    const lock = await acquireLock(mesh.runLock, { ...world, purpose: `run ${runId}` });
    if (lock.state === 'held') throw meshInUse(lock.holder);
    return lock;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw isUnwritable(error) ? stateUnwritable(mesh.root, error) : error;
  }
}
