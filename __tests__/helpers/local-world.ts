import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { meshPaths, type MeshPaths } from '../../local/state/paths.js';
import type { LocalWorld } from '../../local/world.js';
import { GIB } from '../../model/quantity.js';
import { systemClock, type Clock } from '../../workload/platform/clock.js';
import type { ProgressEvent } from '../../workload/platform/progress.js';
import { seededRandom } from '../../workload/platform/random.js';
import { systemProcesses } from '../../workload/platform/system-processes.js';

/** A machine with real processes, much room, and a state folder of the test's own. */
export interface TestLocalWorld {
  readonly world: LocalWorld;
  readonly paths: MeshPaths;
  readonly told: readonly ProgressEvent[];
  /** Everything that was told, as one text. */
  text(): string;
  remove(): Promise<void>;
}

/** Real time, but short: waits for processes of a test end as soon as those do. */
export const quickClock: Clock = {
  ...systemClock,
  sleep: (duration, signal) => systemClock.sleep(Math.min(duration, 5), signal),
};

export async function createLocalWorld(changes: Partial<LocalWorld> = {}): Promise<TestLocalWorld> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'local-world-')));
  const told: ProgressEvent[] = [];
  const world: LocalWorld = {
    clock: quickClock,
    processes: systemProcesses,
    random: seededRandom(1),
    host: {
      cores: 2,
      loadAverage: () => 0,
      totalMemory: () => 24 * GIB,
      availableMemory: () => 20 * GIB,
      freeDisk: () => Promise.resolve(100 * GIB),
    },
    progress: { report: (event) => told.push(event) },
    signal: new AbortController().signal,
    env: { PATH: process.env['PATH'] },
    ...changes,
  };
  return {
    world,
    paths: meshPaths(join(root, 'state')),
    told,
    text: () => told.map(({ subject, text }) => `${subject}: ${text}`).join('\n'),
    remove: () => rm(root, { recursive: true, force: true }),
  };
}
