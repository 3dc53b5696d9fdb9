import { errorCode } from '../../workload/platform/files.js';
import { removeFolder } from './cache.js';
import { CATALOGUE } from './catalogue.js';
import type { EngineContext } from './engine-context.js';
import { ENGINE_NAMES, type EngineName } from './engine-names.js';
import { cacheUnwritable } from './errors.js';
import { listCache, type CachedThing } from './list-cache.js';
import { withEngineLock } from './with-engine-lock.js';

/**
 * Removes what is of no use any more: old and corrupt entries, and what broken installs left. With
 * `names`, everything of those engines. Waits for installers, so nothing is taken from under them.
 */
export async function cleanCache(
  context: EngineContext,
  names: readonly EngineName[] = [],
): Promise<readonly CachedThing[]> {
  const removed: CachedThing[] = [];
  const isUnwanted = (thing: CachedThing): boolean =>
    names.length === 0 ? thing.state !== 'current' : names.some((name) => name === thing.engine);
  if (!(await listCache(context)).some(isUnwanted)) return removed;
  try {
    // No installer of today makes entries of an engine that is not in the catalogue.
    const strangers = (await listCache(context)).filter(
      (thing) => isUnwanted(thing) && !ENGINE_NAMES.some((name) => name === thing.engine),
    );
    removed.push(...(await removeAll(strangers)));
    for (const name of ENGINE_NAMES) {
      await withEngineLock(CATALOGUE[name], context, async () => {
        const things = await listCache(context);
        removed.push(
          ...(await removeAll(things.filter((it) => it.engine === name && isUnwanted(it)))),
        );
      });
    }
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    throw cacheUnwritable(context.cacheDir, error);
  }
  return removed;
}

async function removeAll(things: readonly CachedThing[]): Promise<readonly CachedThing[]> {
  for (const { directory } of things) await removeFolder(directory);
  return things;
}
