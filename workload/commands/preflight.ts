import type { Command } from 'commander';
import type { CommandContext } from './context.js';
import { withTarget, type TargetFlags } from './run-flags.js';

/** `meshscale preflight`: whether the clusters can bear a run. */
export function registerPreflight(program: Command, context: CommandContext): void {
  withTarget(
    program
      .command('preflight')
      .description('look whether the clusters can be reached, told apart, and see each other'),
  ).action(async (flags: TargetFlags) => {
    const { tellPreflight } = await import('./preflight-action.js');
    await tellPreflight(flags, context);
  });
}
