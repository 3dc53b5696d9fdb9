import { rmdir } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import type { Clock } from '../workload/platform/clock.js';
import { acquireLock } from '../workload/platform/lock.js';
import type { Host } from '../workload/platform/host.js';
import type { Processes } from '../workload/platform/processes.js';
import type { Progress } from '../workload/platform/progress.js';
import type { Random } from '../workload/platform/random.js';
import { errorCode, makeDirectories, PRIVATE_DIRECTORY } from '../workload/platform/files.js';
import { meshBusy } from './errors.js';
import { isUnwritable } from './is-unwritable.js';
import { stateUnwritable } from './state/errors.js';
import { meshPaths, type MeshPaths } from './state/paths.js';

/** All of the world that the local mesh touches. */
export interface LocalWorld {
  readonly clock: Clock;
  readonly processes: Processes;
  readonly random: Random;
  readonly host: Host;
  readonly progress: Progress;
  readonly signal: AbortSignal;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Where the mesh's state stands: `--state`, else `$MESHSCALE_HOME/mesh`, else the XDG state folder. */
export function stateDirectory(
  given: string | undefined,
  env: LocalWorld['env'],
  cwd: string,
): string {
  if (given !== undefined) return resolve(cwd, given);
  const home = env['MESHSCALE_HOME'];
  if (home !== undefined && home !== '') return resolve(cwd, home, 'mesh');
  const xdg = env['XDG_STATE_HOME'];
  // The XDG specification says that a relative value is to be ignored.
  const base =
    xdg !== undefined && isAbsolute(xdg) ? xdg : join(env['HOME'] ?? cwd, '.local', 'state');
  return join(base, 'meshscale', 'mesh');
}

/**
 * Runs `deed` as the only one that changes the mesh in `stateDir`; the folder itself goes when
 * nothing is left in it. Throws mesh/busy when another changes it, mesh/state-unwritable when the
 * folder cannot be made or written.
 */
export async function withMeshLock<T>(
  stateDir: string,
  purpose: string,
  world: LocalWorld,
  deed: (paths: MeshPaths) => Promise<T>,
): Promise<T> {
  const paths = meshPaths(stateDir);
  try {
    const lock = await takeLock(paths, purpose, world);
    try {
      return await deed(paths);
    } finally {
      await lock.release();
      await removeIfEmpty(paths.root);
    }
  } catch (error) {
    throw isUnwritable(error) ? stateUnwritable(paths.root, error) : error;
  }
}

/** Somebody who ends removes the folder when it is empty: it is made again then. */
const FOLDER_TRIES = 5;

async function takeLock(paths: MeshPaths, purpose: string, world: LocalWorld) {
  for (let tries = 1; ; tries += 1) {
    try {
      await makeDirectories(paths.root, PRIVATE_DIRECTORY);
      const lock = await acquireLock(paths.lock, { ...world, purpose });
      if (lock.state === 'held') throw meshBusy(lock.holder);
      return lock;
    } catch (error) {
      if (errorCode(error) !== 'ENOENT' || tries === FOLDER_TRIES) throw error;
    }
  }
}

async function removeIfEmpty(directory: string): Promise<void> {
  try {
    await rmdir(directory);
  } catch (error) {
    if (!['ENOTEMPTY', 'ENOENT', 'EEXIST', 'EBUSY'].includes(errorCode(error) ?? '')) throw error;
  }
}
