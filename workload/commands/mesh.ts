import type { Command } from 'commander';
import type { CommandContext } from './context.js';

/** `meshscale mesh status`: what runs, what is real, what this cannot show. */
export function registerMesh(program: Command, context: CommandContext): void {
  program
    .command('mesh')
    .description('look at the local mesh')
    .command('status')
    .description('which parts run, which are real, which versions, what this cannot show')
    .option('--state <DIR>', 'state folder (default: $MESHSCALE_HOME/mesh)')
    .action(async (flags: { readonly state?: string }) => {
      const { meshStatus } = await import('../../local/status.js');
      const { stateDirectory } = await import('../../local/world.js');
      const { meshStatusText } = await import('../ui/mesh-status-text.js');
      const stateDir = stateDirectory(flags.state, context.env, context.cwd);
      const status = await meshStatus(stateDir, context);
      if (context.wantsJson()) context.output.json(status);
      else context.output.data(meshStatusText(status));
      if (status.state !== 'complete') context.exitWith('infrastructure');
    });
}
