import { resolve } from 'node:path';
import type { Command } from 'commander';
import { readIfThere } from '../platform/files.js';
import type { CommandContext } from './context.js';
import { folderNamed } from './run-folder.js';

interface ReportFlags {
  readonly out?: string;
  readonly open?: boolean;
}

/** `meshscale report RUN`: writes the page of a run again, from what stands in its folder. */
export function registerReport(program: Command, context: CommandContext): void {
  program
    .command('report')
    .argument('<run>', 'the id of a run, or its folder')
    .description('write the report of a run')
    .option('--out <file>', 'where to write it (default: report.html in the run folder)')
    .option('--open', 'show it in the browser')
    .action(async (run: string, flags: ReportFlags) => {
      await report(folderNamed(run, context.cwd), flags, context);
    });
}

async function report(run: string, flags: ReportFlags, context: CommandContext): Promise<void> {
  const { loadReport } = await import('../report/load-report.js');
  const { writeReport, writeResults } = await import('../report/write-results.js');
  const { utcSeconds } = await import('../results/file-name.js');
  const { exitOf } = await import('../../model/verdict.js');
  const file =
    flags.out === undefined ? resolve(run, 'report.html') : resolve(context.cwd, flags.out);
  if ((await readIfThere(resolve(run, 'verdict.json'))) === undefined) {
    // A runner that was killed did not get to its rows: they are made now.
    const timestamp = utcSeconds(new Date(context.clock.now()).toISOString()) ?? '';
    await writeResults(run, { timestamp, signal: context.signal });
  }
  const model = await loadReport(run);
  await writeReport(model, file);
  if (flags.open === true) await openFile(file, context);
  if (context.wantsJson()) {
    context.output.json({ schemaVersion: 1, report: file, verdict: model.verdict });
  } else {
    context.output.data(`Report: ${file}`);
  }
  context.exitWith(exitOf(model.verdict.judgement));
}

/** Never fails: the line with the path is printed anyway. */
async function openFile(file: string, context: CommandContext): Promise<void> {
  const { processes, signal } = context;
  for (const command of ['xdg-open', 'open']) {
    const result = await processes.run({ command, args: [file], signal });
    if (result.state === 'ended' && result.exitCode === 0) return;
  }
  const text = `no browser was found for ${file}`;
  context.progress().report({ subject: 'report', state: 'note', text });
}
