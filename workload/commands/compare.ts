import type { Command } from 'commander';
import type { CompareFlags } from './compare-action.js';
import type { CommandContext } from './context.js';

/** `meshscale compare A B`: what changed between two runs, and whether any of it is worse. */
export function registerCompare(program: Command, context: CommandContext): void {
  program
    .command('compare')
    .argument('<before>', 'a run folder or a file of rows; with --baseline the later one')
    .argument('[after]', 'the same of the later run')
    .description('compare two runs, value by value')
    .option('--baseline <which>', 'last-good: the newest earlier run beside it that passed')
    .option('--thresholds <file>', 'what may change how much (default: nothing 20 % worse)')
    .option('--format <format>', 'table, markdown, junit or json', 'table')
    .action(async (before: string, after: string | undefined, flags: CompareFlags) => {
      const { compare } = await import('./compare-action.js');
      await compare({ before, after, flags }, context);
    });
}
