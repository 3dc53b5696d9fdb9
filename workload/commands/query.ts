import type { Command } from 'commander';
import type { QueryFlags } from './query-action.js';
import type { CommandContext } from './context.js';

/** `meshscale query "SQL"`: asks the rows of all runs. */
export function registerQuery(program: Command, context: CommandContext): void {
  program
    .command('query')
    .argument('[sql]', 'SQL on the tables "rows" and "measured" (default: list the named queries)')
    .description('ask the rows of all runs, in SQL')
    .option('--named <query>', 'a ready query instead of SQL')
    .option('--runs <dir>', 'a folder of runs, one run, or a file of rows', 'runs')
    .option('--format <format>', 'table, csv or json', 'table')
    .action(async (sql: string | undefined, flags: QueryFlags) => {
      const { query } = await import('./query-action.js');
      await query(sql, flags, context);
    });
}
