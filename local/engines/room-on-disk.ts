import { access } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { GIB, MIB, type Bytes } from '../../model/quantity.js';
import type { EngineContext } from './engine-context.js';
import { diskShort } from './errors.js';
import type { GoToolchain } from './go-toolchain.js';
import type { EngineRecipe } from './recipe.js';

/** Largest binary 106 MB, largest release archive about as much again, and some to breathe. */
const FOR_ONE_ENGINE: Bytes = 300 * MIB;

/**
 * What a build from empty caches was seen to fill: build cache 3.3 GB, module cache 2.3 GB for the
 * shared module. The other two are estimates from their compile time.
 */
const GO_CACHES: Readonly<Record<EngineRecipe['build']['module'], Bytes>> = {
  'control-plane': 6 * GIB,
  exporter: 2 * GIB,
  prometheus: 4 * GIB,
};
/** Linking writes the unpacked program once more beside the caches; chosen. */
const WARM_GO_CACHES: Bytes = GIB;

/** Refuses an install that would fill the disk of the cache. Throws `engine/disk-short`. */
export async function checkRoom(recipe: EngineRecipe, context: EngineContext): Promise<void> {
  await check(context.cacheDir, FOR_ONE_ENGINE, recipe.name, context);
}

/** Refuses a build that would fill the disks of Go's caches. Throws `engine/disk-short`. */
export async function checkRoomToBuild(
  recipe: EngineRecipe,
  go: Extract<GoToolchain, { state: 'ready' }>,
  context: EngineContext,
): Promise<void> {
  const warm = await isDownloaded(recipe, go.moduleCache);
  const needed = warm ? WARM_GO_CACHES : GO_CACHES[recipe.build.module];
  const what = `building ${recipe.name} (Go's caches)`;
  for (const folder of [go.buildCache, go.moduleCache]) await check(folder, needed, what, context);
}

/** A module of each set that only it needs: when it is unpacked, most of the filling is done. */
const MARKERS: Readonly<Record<EngineRecipe['build']['module'], string>> = {
  'control-plane': 'k8s.io/kubernetes@v1.36.3',
  exporter: 'github.com/cilium/cilium@v1.15.19',
  prometheus: 'github.com/prometheus/prometheus@v0.316.0',
};

async function isDownloaded(recipe: EngineRecipe, moduleCache: string): Promise<boolean> {
  return exists(join(moduleCache, MARKERS[recipe.build.module]));
}

async function check(
  folder: string,
  needed: Bytes,
  what: string,
  context: EngineContext,
): Promise<void> {
  const free = await context.host.freeDisk(await nearestFolder(folder));
  if (free < needed) throw diskShort(folder, free, needed, what);
}

/** The folder itself may not be there yet; its disk is that of the nearest parent. */
async function nearestFolder(folder: string): Promise<string> {
  if ((await exists(folder)) || folder === dirname(folder)) return folder;
  return nearestFolder(dirname(folder));
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
