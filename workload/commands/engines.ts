import { Option, type Command } from 'commander';
import type { InstallWay } from '../../local/engines/engine-context.js';
import type { CommandContext } from './context.js';

interface InstallFlags {
  readonly from?: InstallWay;
  readonly url?: string;
}

/** `meshscale engines list|install|path|clean`: the programs that a local mesh is made of. */
export function registerEngines(program: Command, context: CommandContext): void {
  const engines = program
    .command('engines')
    .description('The programs that a local mesh is made of: what is there, and get the rest.');
  registerReading(engines, context);
  registerChanging(engines, context);
}

function registerReading(engines: Command, context: CommandContext): void {
  engines
    .command('list')
    .description('Where each engine comes from, and what the cache holds.')
    .option('--verify', 'read every cached binary and compare it with what was stored', false)
    .action(async (flags: { readonly verify: boolean }) => {
      const { listEngines } = await import('./engines-list.js');
      await listEngines(context, flags);
    });
  engines
    .command('path [names...]')
    .description('The binary of each engine; installs nothing.')
    .action(async (names: readonly string[]) => {
      const { printPaths } = await import('./engines-install.js');
      await printPaths(context, names);
    });
}

function registerChanging(engines: Command, context: CommandContext): void {
  const from = new Option('--from <way>', 'build from Go modules, or fetch release files');
  engines
    .command('install [names...]')
    .description('Build or fetch what is not there yet; all engines without a name.')
    .addOption(from.choices(['build', 'download']))
    .option('--url <address>', 'a mirror in place of the official servers, for --from download')
    .action(async (names: readonly string[], flags: InstallFlags) => {
      const { installEngines } = await import('./engines-install.js');
      await installEngines(context, names, flags);
    });
  engines
    .command('clean [names...]')
    .description('Remove old, broken and unfinished entries; with names, all of those engines.')
    .action(async (names: readonly string[]) => {
      const { cleanEngines } = await import('./engines-clean.js');
      await cleanEngines(context, names);
    });
}
