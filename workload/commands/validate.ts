import type { Command } from 'commander';
import type { CommandContext } from './context.js';
import { collect } from './run-flags.js';
import type { ValidateFlags } from './validate-action.js';

/** `meshscale validate`: everything that is wrong with a scenario, before any cluster is touched. */
export function registerValidate(program: Command, context: CommandContext): void {
  program
    .command('validate')
    .argument('<scenario>', 'a scenario by its name, or a scenario.yaml')
    .description('check a scenario and what ClusterLoader2 would be given; touches no cluster')
    .option('--set <knob=value>', 'set a knob of the scenario; may be repeated', collect, [])
    .option('--prometheus <whose>', "existing, or ClusterLoader2's own", 'own')
    .option('--cl2-binary <F>', "also ClusterLoader2's own dry run with this executable")
    .option('--out <DIR>', 'write what ClusterLoader2 would be given into this folder')
    .action(async (scenario: string, flags: ValidateFlags) => {
      const { validate } = await import('./validate-action.js');
      await validate(scenario, flags, context);
    });
}
