import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../../model/user-error.js';
import { errorCode } from '../../workload/platform/files.js';
import { isIntact, listEntries, removeFolder } from './cache.js';
import type { EngineContext } from './engine-context.js';
import { cacheUnwritable, notFitting } from './errors.js';
import { findCached } from './find-cached.js';
import type { Filled } from './install-steps.js';
import { commitPartial, openPartial, sweepPartials } from './partial-install.js';
import { platformText } from './platform.js';
import { probeVersion } from './probe-version.js';
import type { EngineRecipe } from './recipe.js';
import type { ResolvedEngine } from './resolved-engine.js';
import { checkRoom } from './room-on-disk.js';
import { fits } from './versions.js';
import { withEngineLock } from './with-engine-lock.js';

/** Puts an engine's binary, named as the recipe, into the folder. */
export type Fill = (folder: string) => Promise<Filled>;

/**
 * Installs one engine into the cache, unless another installer was quicker. Interrupted at any
 * moment it leaves no entry that is half made; what it leaves besides, the next install sweeps.
 */
export async function installEngine(
  recipe: EngineRecipe,
  context: EngineContext,
  fill: Fill,
): Promise<ResolvedEngine> {
  try {
    await checkRoom(recipe, context);
    return await withEngineLock(recipe, context, async () => {
      const meanwhile = await findCached(recipe, context);
      if (meanwhile !== undefined) return meanwhile;
      await sweepPartials(context.cacheDir, recipe.name);
      await removeCorrupt(recipe, context);
      return await installNew(recipe, context, fill);
    });
  } catch (error) {
    if (!(error instanceof UserError) && isRefusedWrite(error)) {
      throw cacheUnwritable(context.cacheDir, error);
    }
    throw error;
  }
}

async function removeCorrupt(recipe: EngineRecipe, context: EngineContext): Promise<void> {
  for (const entry of await listEntries(context.cacheDir, recipe.name)) {
    if (!(await isIntact(entry))) await removeFolder(entry.directory);
  }
}

async function installNew(
  recipe: EngineRecipe,
  context: EngineContext,
  fill: Fill,
): Promise<ResolvedEngine> {
  const { cacheDir, clock } = context;
  const partial = await openPartial(cacheDir, recipe.name);
  try {
    const filled = await fill(partial);
    const version = await checkedVersion(recipe, join(partial, recipe.name), context);
    const facts = {
      ...filled,
      engine: recipe.name,
      version,
      platform: platformText(context.platform),
      file: recipe.name,
    };
    const path = await commitPartial(cacheDir, partial, facts, clock);
    return { name: recipe.name, version, path, source: filled.source };
  } finally {
    await removeFolder(partial);
  }
}

async function checkedVersion(
  recipe: EngineRecipe,
  binary: string,
  context: EngineContext,
): Promise<string> {
  await chmod(binary, 0o755);
  const probe = await probeVersion(recipe, binary, context);
  if (probe.state === 'not-running') throw notFitting(recipe, probe.why);
  if (!fits(recipe, probe.version)) throw notFitting(recipe, `version ${probe.version}`);
  return probe.version;
}

/** What the system says when a folder is not ours, read-only, full, or a file in its place. */
function isRefusedWrite(error: unknown): boolean {
  const refusals = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOSPC', 'EDQUOT'];
  return refusals.includes(errorCode(error) ?? '');
}
