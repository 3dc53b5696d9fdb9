import type { LocalWorld } from '../../local/world.js';
import type { CommandContext } from './context.js';

/** What the local mesh may touch, taken from a command's context. */
export function localWorld(context: CommandContext): LocalWorld {
  const { clock, processes, random, host, signal, env } = context;
  return { clock, processes, random, host, signal, env, progress: context.progress() };
}
