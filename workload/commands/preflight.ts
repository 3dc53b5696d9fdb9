import type { Command } from 'commander';
import type { CommandContext } from './context.js';
import type { PreflightFlags } from './preflight-action.js';
import { withSmoke, withTarget } from './run-flags.js';

/** `meshscale preflight`: whether the clusters can bear a run. */
export function registerPreflight(program: Command, context: CommandContext): void {
  const preflight = withTarget(
    program
      .command('preflight')
      .description('look whether the clusters can be reached, told apart, and see each other'),
  );
  // Changes nothing unless it is asked to.
  withSmoke(preflight, 'never').action(async (flags: PreflightFlags) => {
    const { tellPreflight } = await import('./preflight-action.js');
    await tellPreflight(flags, context);
  });
}
