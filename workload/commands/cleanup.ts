import type { Command } from 'commander';
import type { CleanupFlags } from './cleanup-action.js';
import type { CommandContext } from './context.js';
import { withTarget } from './run-flags.js';

/** `meshscale cleanup [RUN|--all]`: removes what a killed run left on its clusters. */
export function registerCleanup(program: Command, context: CommandContext): void {
  withTarget(
    program
      .command('cleanup')
      .argument('[run]', 'name or folder of a run')
      .description('remove what a run has left on its clusters, also after its runner was killed'),
  )
    .option('--all', 'of every run, on the clusters that --target names')
    .option('--out <DIR>', 'where run folders are', 'runs')
    .action(async (run: string | undefined, flags: CleanupFlags) => {
      const { cleanupRuns } = await import('./cleanup-action.js');
      await cleanupRuns(run, flags, context);
    });
}
