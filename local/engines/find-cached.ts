import { buildKey } from './build-key.js';
import { binaryOf, isIntact, listEntries, type CacheEntry } from './cache.js';
import type { CacheManifest } from './cache-manifest.js';
import type { EngineContext } from './engine-context.js';
import { platformText } from './platform.js';
import type { EngineRecipe } from './recipe.js';
import type { InstalledBy, ResolvedEngine } from './resolved-engine.js';
import { fits } from './versions.js';

/**
 * The newest intact entry that the recipe of today would give, so no binary is run for it. With
 * `from` only entries that were made that way count. A corrupt entry is told and passed over.
 */
export async function findCached(
  recipe: EngineRecipe,
  context: EngineContext,
): Promise<ResolvedEngine | undefined> {
  for (const entry of await listEntries(context.cacheDir, recipe.name)) {
    const { manifest } = entry;
    if (manifest === undefined || !isWanted(recipe, manifest, context)) continue;
    if (!(await isCurrent(recipe, manifest, context))) continue;
    if (await isIntact(entry)) return cached(recipe, entry, manifest);
    const text = `the cached binary in ${entry.directory} is corrupt and is not used`;
    context.progress.report({ subject: recipe.name, state: 'note', text });
  }
  return undefined;
}

/** True when today's catalogue, modules and machine would still use an entry. */
export async function isCurrent(
  recipe: EngineRecipe,
  manifest: CacheManifest,
  context: EngineContext,
): Promise<boolean> {
  if (manifest.engine !== recipe.name) return false;
  if (manifest.platform !== platformText(context.platform)) return false;
  switch (manifest.source) {
    case 'built':
      return manifest.key === (await buildKey(recipe, context));
    case 'downloaded':
      return manifest.version === recipe.version;
    case 'package':
      return fits(recipe, manifest.version);
  }
}

const MADE_BY: Readonly<Record<NonNullable<EngineContext['from']>, InstalledBy>> = {
  build: 'built',
  download: 'downloaded',
};

/** `--from download` cannot mean an engine that nobody publishes as a file. */
function isWanted(recipe: EngineRecipe, manifest: CacheManifest, context: EngineContext): boolean {
  const { from } = context;
  if (from === undefined || (from === 'download' && recipe.release === undefined)) return true;
  return manifest.source === MADE_BY[from];
}

function cached(recipe: EngineRecipe, entry: CacheEntry, manifest: CacheManifest): ResolvedEngine {
  const path = binaryOf({ ...entry, manifest });
  return { name: recipe.name, version: manifest.version, path, source: 'cache' };
}
