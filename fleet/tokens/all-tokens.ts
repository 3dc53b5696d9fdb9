import type { RunProgram } from '../ports.js';
import { cliTokens } from './cli-tokens.js';
import { secretTokens, workloadTokens, type EntraWorld } from './entra-tokens.js';
import { appIdentityTokens, machineIdentityTokens } from './identity-tokens.js';
import { createTokens, type Tokens } from './tokens.js';

/**
 * Every way to a token, what was set on purpose first, what has to be guessed last. By HTTP and
 * small programs, not by a library: the bundled handler has to stay small.
 */
export function allTokens(world: EntraWorld & { readonly run: RunProgram }): Tokens {
  const sources = [
    secretTokens(world),
    workloadTokens(world),
    appIdentityTokens(world),
    cliTokens(world),
    machineIdentityTokens(world),
  ];
  return createTokens(sources, world.clock);
}
