import type { Command } from 'commander';
import type { CommandContext } from './context.js';
import type { InventoryFlags } from './inventory-action.js';
import { collect } from './run-flags.js';

/** `meshscale inventory …`: what is known of the clusters of a mesh on Azure. */
export function registerInventory(program: Command, context: CommandContext): void {
  const inventory = program
    .command('inventory')
    .description('the clusters of a mesh on Azure: by the outputs of a stack or by tags');
  for (const [verb, description] of Object.entries(VERBS)) {
    inventory
      .command(verb)
      .description(description)
      .option('--stack <DIR>', 'folder of a synthesized stack (default: the one in cdktf.out)')
      .option('--tag <k=v>', 'look for clusters with this tag; may be repeated', collect, [])
      .option('--out <F>', 'write the inventory into this file')
      .action(async (flags: InventoryFlags) => {
        const { tellInventory } = await import('./inventory-action.js');
        await tellInventory(verb, flags, context);
      });
  }
}

const VERBS: Readonly<Record<string, string>> = {
  show: 'show the clusters, from the outputs of a stack or, with --tag, from Azure',
  discover: 'look for clusters by their tags, without any stack',
  export: 'write the inventory for --inventory of other commands',
};
