import { machineEngines, type EngineContext } from '../../local/engines/engine-context.js';
import type { CommandContext } from './context.js';

/** The engines as a command sees them, on this machine. */
export function enginesOf(
  context: CommandContext,
  flags: Pick<EngineContext, 'from' | 'url'> = {},
): EngineContext {
  const { env, processes, clock, host, signal } = context;
  const { from, url } = flags;
  return machineEngines({
    env,
    processes,
    clock,
    host,
    signal,
    progress: context.progress(),
    from,
    url,
  });
}
