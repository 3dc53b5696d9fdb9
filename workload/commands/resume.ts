import type { Command } from 'commander';
import type { CommandContext } from './context.js';
import type { ResumeFlags } from './resume-action.js';

/** `meshscale resume RUN`: goes on with a run whose runner was killed or interrupted. */
export function registerResume(program: Command, context: CommandContext): void {
  program
    .command('resume')
    .argument('<run>', 'name or folder of a run')
    .description('go on with a run that was killed or interrupted; what has finished is kept')
    .option('--parallel <N>', 'clusters at once (default: as the run was started)')
    .option('--cl2-binary <F>', 'ClusterLoader2 (default: $MESHSCALE_CL2_BINARY)')
    .option('--out <DIR>', 'where run folders are', 'runs')
    .action(async (run: string, flags: ResumeFlags) => {
      const { resumeRun } = await import('./resume-action.js');
      const { judgeRuns } = await import('./run-action.js');
      const { tellRuns } = await import('./run-tell.js');
      const runs = [await resumeRun(run, flags, context)];
      tellRuns(runs, context);
      judgeRuns(runs, context);
    });
}
