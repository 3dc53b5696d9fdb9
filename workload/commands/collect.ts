import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { CommandContext } from './context.js';
import { folderNamed } from './run-folder.js';

interface CollectFlags {
  readonly cluster?: string;
  readonly inventory?: string;
  readonly out?: string;
  readonly keepAttempts?: boolean;
}

/** `meshscale collect FOLDER…`: rows from run folders and from report folders of any tool. */
export function registerCollect(program: Command, context: CommandContext): void {
  program
    .command('collect')
    .argument(
      '<folder...>',
      'ids or folders of runs, report folders, or folders with one of these per cluster',
    )
    .description('turn report folders into rows')
    .option('--cluster <name>', 'the cluster that the one folder is of')
    .option('--inventory <file>', 'what clusters are expected (default: those that have a folder)')
    .option('--out <file>', 'where to write rows (default: rows.jsonl in a run folder, or here)')
    .option('--keep-attempts', 'keep the rows of every attempt, not only the newest')
    .action(async (folders: readonly string[], flags: CollectFlags) => {
      await collect(
        folders.map((folder) => folderNamed(folder, context.cwd)),
        flags,
        context,
      );
    });
}

async function collect(
  folders: readonly string[],
  flags: CollectFlags,
  context: CommandContext,
): Promise<void> {
  const { collectFolders } = await import('../report/collect-folders.js');
  const { utcSeconds } = await import('../results/file-name.js');
  const { exitOf } = await import('../../model/verdict.js');
  const collected = await collectFolders({
    folders,
    cluster: flags.cluster,
    inventory: flags.inventory === undefined ? undefined : resolve(context.cwd, flags.inventory),
    out: flags.out === undefined ? undefined : resolve(context.cwd, flags.out),
    here: context.cwd,
    options: {
      timestamp: utcSeconds(new Date(context.clock.now()).toISOString()) ?? '',
      keepAttempts: flags.keepAttempts ?? false,
      signal: context.signal,
    },
  });
  const progress = context.progress();
  for (const { file, rows, malformed, unknown, verdict } of collected) {
    for (const text of malformed) progress.report({ subject: 'collect', state: 'note', text });
    for (const name of unknown) {
      progress.report({ subject: 'collect', state: 'note', text: `left alone: ${name}` });
    }
    if (!context.wantsJson()) {
      context.output.data(`${rows} rows in ${file}, verdict ${verdict.judgement.verdict}`);
    }
    context.exitWith(exitOf(verdict.judgement));
  }
  if (context.wantsJson()) context.output.json({ schemaVersion: 1, collected });
}
