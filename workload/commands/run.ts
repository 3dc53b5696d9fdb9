import type { Command } from 'commander';
import type { CommandContext } from './context.js';
import { collect, withCl2, withSmoke, withTarget, type RunFlags } from './run-flags.js';

/** `meshscale run SCENARIO…`: loads all clusters at once, measures and judges. */
export function registerRun(program: Command, context: CommandContext): void {
  const run = withTarget(
    program
      .command('run')
      .argument('<scenario...>', 'names of scenarios; meshscale scenarios list shows them')
      .description('run scenarios on all clusters at once, measure and judge'),
  );
  run
    .command('status')
    .argument('[run]', 'name or folder of a run')
    .description('where runs stand')
    .option('--watch', 'tell every change until the run has ended')
    .option('--out <DIR>', 'where run folders are', 'runs')
    .action(async (name: string | undefined, _flags: unknown, command: Command) => {
      const { tellRunStatus } = await import('./run-status.js');
      // `run` has an --out as well, and takes it wherever it stands.
      const flags = command.optsWithGlobals<{ readonly out: string; readonly watch?: boolean }>();
      await tellRunStatus(name, flags, context);
    });
  withSmoke(withCl2(run), 'auto')
    .option('--engine <name>', 'what executes the workload: native or clusterloader2', 'native')
    .option('--set <knob=value>', 'set a knob of the scenario; may be repeated', collect, [])
    .option('--seed <n>', 'seed of all chance in the run')
    .option('--parallel <N>', 'clusters at once (default: as many as this machine bears)')
    .option('--out <DIR>', 'where run folders are made', 'runs')
    .option('--dry-run', 'only tell what would be done')
    .action(async (names: readonly string[], flags: RunFlags) => {
      const { runScenarios, judgeRuns } = await import('./run-action.js');
      const { tellRuns } = await import('./run-tell.js');
      const runs = await runScenarios(names, flags, context);
      tellRuns(runs, context);
      judgeRuns(runs, context);
    });
}
