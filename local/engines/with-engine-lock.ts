import { join } from 'node:path';
import { acquireLock, type LockResult } from '../../workload/platform/lock.js';
import { ensureDirectory } from '../../workload/platform/files.js';
import type { Milliseconds } from '../../model/quantity.js';
import { cachePaths } from './cache.js';
import type { EngineContext } from './engine-context.js';
import { installBusy } from './errors.js';
import type { EngineRecipe } from './recipe.js';

/** Three times the longest build seen on two busy cores; chosen. */
const WAIT_BUDGET: Milliseconds = 45 * 60_000;

/**
 * Does `work` as the only one that changes an engine's part of the cache. Waits for another
 * installer and tells so; throws when it stays too long.
 */
export async function withEngineLock<T>(
  recipe: EngineRecipe,
  context: EngineContext,
  work: () => Promise<T>,
): Promise<T> {
  const { locks } = cachePaths(context.cacheDir);
  await ensureDirectory(locks);
  const lock = await take(join(locks, `${recipe.name}.lock`), recipe, context);
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

async function take(
  file: string,
  recipe: EngineRecipe,
  context: EngineContext,
): Promise<Extract<LockResult, { state: 'taken' }>> {
  const { clock, processes, progress, signal } = context;
  const options = { clock, processes, signal, purpose: `install ${recipe.name}` };
  const first = await acquireLock(file, options);
  if (first.state === 'taken') return first;
  const text = `waiting for process ${first.holder.pid}, which is installing it`;
  progress.report({ subject: recipe.name, state: 'running', text });
  const second = await acquireLock(file, { ...options, waitBudget: WAIT_BUDGET });
  if (second.state === 'taken') return second;
  throw installBusy(recipe, second.holder);
}
