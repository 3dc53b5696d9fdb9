import type { Command } from 'commander';
import type { CommandContext } from './context.js';
import { collect } from './run-flags.js';
import type { StartFlags } from './start-action.js';

/** `meshscale start` (= `npm start`): a mesh, a first look at it, a report. */
export function registerStart(program: Command, context: CommandContext): void {
  program
    .command('start')
    .description('bring the local mesh up, run first-look on it, take it down again')
    .option('--keep', 'leave the mesh running')
    .option('--set <knob=value>', 'set a knob of first-look; may be repeated', collect, [])
    .option('--out <DIR>', 'where run folders are made', 'runs')
    .option('--state <DIR>', 'state folder (default: $MESHSCALE_HOME/mesh)')
    .action(async (flags: StartFlags) => {
      const { start } = await import('./start-action.js');
      await start(flags, context);
    });
}
