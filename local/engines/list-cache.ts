import type { Bytes } from '../../model/quantity.js';
import { cachePaths, isIntact, listEntries, namesIn, sizeOf, type CacheEntry } from './cache.js';
import { CATALOGUE } from './catalogue.js';
import type { EngineContext } from './engine-context.js';
import { isCurrent } from './find-cached.js';

/** One thing in the cache. */
export interface CachedThing {
  readonly engine: string;
  readonly version: string;
  readonly directory: string;
  readonly size: Bytes;
  /** `old`: today's versions or modules don't use it. `partial`: an install that is not finished. */
  readonly state: 'current' | 'old' | 'corrupt' | 'partial';
}

/** Everything in the engine cache. `thorough` reads every binary. */
export async function listCache(
  context: EngineContext,
  thoroughness: 'quick' | 'thorough' = 'quick',
): Promise<readonly CachedThing[]> {
  const entries = await listEntries(context.cacheDir);
  const things = await Promise.all(
    entries.map(async (entry): Promise<CachedThing> => ({
      engine: entry.name,
      version: entry.manifest?.version ?? 'unknown',
      directory: entry.directory,
      size: await sizeOf(entry.directory),
      state: await stateOf(entry, context, thoroughness),
    })),
  );
  return [...things, ...(await listPartials(context.cacheDir))];
}

async function stateOf(
  entry: CacheEntry,
  context: EngineContext,
  thoroughness: 'quick' | 'thorough',
): Promise<CachedThing['state']> {
  const { manifest } = entry;
  if (manifest === undefined || !(await isIntact(entry, thoroughness))) return 'corrupt';
  return (await isCurrent(CATALOGUE[manifest.engine], manifest, context)) ? 'current' : 'old';
}

async function listPartials(cacheDir: string): Promise<readonly CachedThing[]> {
  const { partial } = cachePaths(cacheDir);
  const names = await namesIn(partial);
  return Promise.all(
    names.map(async (name) => ({
      engine: name.split('~')[0] ?? name,
      version: 'unknown',
      directory: `${partial}/${name}`,
      size: await sizeOf(`${partial}/${name}`),
      state: 'partial' as const,
    })),
  );
}
