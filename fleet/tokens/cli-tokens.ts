import { parseJson } from '../json.js';
import type { FleetClock, RunProgram } from '../ports.js';
import { ARM_RESOURCE, tokenIn } from './token-answer.js';
import type { TokenSource } from './tokens.js';

/** The account that the Azure CLI is logged in to. The token comes by a pipe and stays in memory. */
export function cliTokens(world: {
  readonly run: RunProgram;
  readonly clock: FleetClock;
}): TokenSource {
  return {
    name: 'Azure CLI',
    get: async (signal) => {
      const args = ['account', 'get-access-token', '--resource', ARM_RESOURCE, '--output', 'json'];
      const result = await world.run('az', args, signal);
      if (result.state === 'not-found') return { reason: '`az` is not installed' };
      if (result.exitCode !== 0) return { reason: '`az account get-access-token` has failed' };
      return (
        tokenIn(parseJson(result.stdout), world.clock.now()) ?? { reason: '`az` gave no token' }
      );
    },
  };
}
