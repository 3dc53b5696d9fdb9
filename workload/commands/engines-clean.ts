import { cleanCache } from '../../local/engines/clean-cache.js';
import { listCache } from '../../local/engines/list-cache.js';
import { parseEngineNames } from '../../local/engines/parse-names.js';
import { bytesText } from '../../model/quantity.js';
import type { CommandContext } from './context.js';
import { enginesOf } from './engine-surroundings.js';

/** `engines clean`: without names what is of no use any more, with names all of those engines. */
export async function cleanEngines(
  context: CommandContext,
  given: readonly string[],
): Promise<void> {
  const engines = enginesOf(context);
  const removed = await cleanCache(engines, given.length === 0 ? [] : parseEngineNames(given));
  const left = sum(await listCache(engines));
  const freed = sum(removed);
  if (context.wantsJson()) {
    context.output.json({ schemaVersion: 1, removed, freed, left, cacheDir: engines.cacheDir });
    return;
  }
  for (const { engine, version, state, size, directory } of removed) {
    context.output.data(`removed ${engine} ${version} (${state}, ${bytesText(size)}) ${directory}`);
  }
  context.output.data(`${bytesText(freed)} freed, ${bytesText(left)} left in ${engines.cacheDir}`);
}

function sum(things: readonly { readonly size: number }[]): number {
  return things.reduce((total, { size }) => total + size, 0);
}
