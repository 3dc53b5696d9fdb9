import { readFile } from 'node:fs/promises';
import { connectAzure, type Azure } from '../../fleet/connect.js';
import { nodeChance } from '../../fleet/platform/node-clock.js';
import { createNodeHttp, type NodeHttp } from '../../fleet/platform/node-http.js';
import { proxyOf } from '../../fleet/platform/proxy.js';
import { serviceClock } from '../../fleet/platform/service-clock.js';
import type { FleetClock } from '../../fleet/ports.js';
import type { CommandContext } from './context.js';

/** Azure as a command reaches it. */
export interface CommandAzure {
  readonly azure: Azure;
  readonly clock: FleetClock;
  readonly close: () => void;
}

/** Connects a command to Azure with the fleet handler's own adapter. No request is made yet. */
export async function openAzure(context: CommandContext): Promise<CommandAzure> {
  const { env, processes } = context;
  const senders: NodeHttp[] = [];
  const clock = (await serviceClock(env)) ?? context.clock;
  const azure = await connectAzure({
    env,
    clock,
    chance: nodeChance,
    run: async (command, args, signal) => {
      const ended = await processes.run({ command, args, env, signal });
      if (ended.state === 'not-found') return { state: 'not-found' };
      if (ended.state === 'killed') return { state: 'ended', exitCode: 1, stdout: '' };
      return { state: 'ended', exitCode: ended.exitCode, stdout: ended.stdout };
    },
    read: (file) => readFile(file, 'utf8'),
    http: (caPem) => {
      const sender = createNodeHttp({ caPem, proxy: proxyOf(env) });
      senders.push(sender);
      return sender.send;
    },
  });
  const close = (): void => {
    for (const sender of senders) sender.close();
  };
  return { azure, clock, close };
}
