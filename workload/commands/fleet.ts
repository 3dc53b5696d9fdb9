import type { Command } from 'commander';
import type { CommandContext } from './context.js';
import type { FleetFlags } from './fleet-action.js';
import { collect } from './run-flags.js';

/** `meshscale fleet …`: what Terraform's handlers do at apply and destroy, by hand. */
export function registerFleet(program: Command, context: CommandContext): void {
  const fleet = program
    .command('fleet')
    .description('join clusters to a Fleet mesh and take them out, as Terraform does');
  for (const [verb, description] of Object.entries(VERBS)) {
    fleet
      .command(verb)
      .description(description)
      .option('--fleet <ID>', 'full id of the fleet')
      .option('--profile <P>', 'name of the cluster mesh profile')
      .option('--member <M>', 'name of a member; may be repeated', collect, [])
      .option('--timeout <D>', 'most time to take, such as 30m (default: by the size of the mesh)')
      .action(async (flags: FleetFlags) => {
        const { runFleetCommand } = await import('./fleet-action.js');
        await runFleetCommand(verb, flags, context);
      });
  }
}

const VERBS: Readonly<Record<string, string>> = {
  status: 'the state of a mesh and of each member',
  ensure: 'connect these members, and wait until they are',
  leave: 'take these members out; the others stay connected',
  drain: 'take all members out and delete the profile',
  settle: 'wait until the clusters of these members (default: of all) are at rest',
};
