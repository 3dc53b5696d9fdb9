import type { Command } from 'commander';
import type { CommandContext } from './context.js';

/** The flags of `up`, as commander gives them; none has a default here, see `local/spec`. */
interface UpFlags {
  readonly clusters?: string;
  readonly nodes?: string;
  readonly exportQps?: string;
  readonly meshQps?: string;
  readonly state?: string;
}

/** `meshscale up`: a real cluster mesh on this machine. */
export function registerUp(program: Command, context: CommandContext): void {
  program
    .command('up')
    .description('start a real cluster mesh on this machine, or repair, grow or shrink it')
    .option('--clusters <N>', 'how many clusters (default: those there are, else 2)')
    .option('--nodes <n>', 'nodes per cluster, played by KWOK (default: as it is, else 20)')
    .option(
      '--export-qps <rate>',
      'writes per second of each exporter (default: as it is, else 20)',
    )
    .option(
      '--mesh-qps <rate>',
      'writes per second of each kvstoremesh (default: as it is, else 100)',
    )
    .option('--state <DIR>', 'state folder (default: $MESHSCALE_HOME/mesh)')
    .action(async (flags: UpFlags) => {
      const { upFromFlags } = await import('./up-action.js');
      await upFromFlags(flags, context);
    });
}
