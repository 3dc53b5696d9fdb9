import type { Command } from 'commander';
import type { CommandContext } from './context.js';

/** `meshscale down`: ends the local mesh and leaves nothing. */
export function registerDown(program: Command, context: CommandContext): void {
  program
    .command('down')
    .description('end the local mesh and remove its files')
    .option('--state <DIR>', 'state folder (default: $MESHSCALE_HOME/mesh)')
    .action(async (flags: { readonly state?: string }) => {
      const { down } = await import('../../local/down.js');
      const { stateDirectory } = await import('../../local/world.js');
      const { localWorld } = await import('./local-world.js');
      const stateDir = stateDirectory(flags.state, context.env, context.cwd);
      const result = await down(stateDir, localWorld(context));
      if (context.wantsJson()) context.output.json({ stateDir, ...result });
    });
}
