import { resolve } from 'node:path';
import { badArgument } from '../../fleet/errors.js';
import type { Inventory } from '../../model/inventory.js';
import { writeAtomic } from '../platform/files.js';
import { inventoryText } from '../ui/inventory-text.js';
import { azureInventory, discover } from './azure-target.js';
import type { CommandContext } from './context.js';

/** The flags of `inventory` commands. */
export interface InventoryFlags {
  readonly stack?: string;
  readonly tag: readonly string[];
  readonly out?: string;
}

/** Finds the inventory and shows or writes it. */
export async function tellInventory(
  verb: string,
  flags: InventoryFlags,
  context: CommandContext,
): Promise<void> {
  if (verb === 'export' && flags.out === undefined) {
    throw badArgument('--out', 'export needs a file', undefined, 'a file to write');
  }
  const inventory =
    verb === 'discover' ? await discover(flags.tag, context) : await azureInventory(flags, context);
  if (flags.out !== undefined) await write(inventory, resolve(context.cwd, flags.out), context);
  if (context.wantsJson()) context.output.json(inventory);
  else if (flags.out === undefined) context.output.data(inventoryText(inventory));
}

async function write(inventory: Inventory, file: string, context: CommandContext): Promise<void> {
  await writeAtomic(file, `${JSON.stringify(inventory, undefined, 2)}\n`);
  const text = `${inventory.clusters.length} clusters in ${file}`;
  context.progress().report({ subject: 'inventory', state: 'done', text });
}
