import type { Command } from 'commander';
import type { GateFlags } from './gate-action.js';
import type { CommandContext } from './context.js';

/** `meshscale gate RUN`: the exit code of a run's verdict, and of thresholds of one's own. */
export function registerGate(program: Command, context: CommandContext): void {
  program
    .command('gate')
    .argument('<run>', 'a run folder or a file of rows')
    .description('hold a run against its own verdict and against thresholds')
    .option('--baseline <run>', 'what "worseBy" is held against: a run, or last-good')
    .option('--thresholds <file>', 'limits; a value that is missing never passes')
    .option('--format <format>', 'table, markdown, junit or json', 'table')
    .action(async (run: string, flags: GateFlags) => {
      const { gate } = await import('./gate-action.js');
      await gate(run, flags, context);
    });
}
