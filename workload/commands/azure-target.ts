import { resolve } from 'node:path';
import { startBudget } from '../../fleet/budget.js';
import type { Inventory } from '../../model/inventory.js';
import type { Milliseconds } from '../../model/quantity.js';
import { UserError } from '../../model/user-error.js';
import { discoverClusters } from '../inventory/discover-aks.js';
import { badTag } from '../inventory/errors.js';
import { inventoryOfStack, onlyStack } from '../inventory/terraform-outputs.js';
import { openAzure } from './azure-world.js';
import { azureSubscription } from './azure-subscription.js';
import type { CommandContext } from './context.js';

/** Where an Azure mesh is looked for. */
export interface AzureFlags {
  readonly stack?: string;
  readonly tag?: readonly string[];
}

/**
 * The inventory of a mesh on Azure: by tags when some are given, else from the outputs of a stack,
 * else, where no stack was synthesized, by the tag that every cluster of ours has.
 */
export async function azureInventory(
  flags: AzureFlags,
  context: CommandContext,
): Promise<Inventory> {
  const { tag = [], stack } = flags;
  if (tag.length > 0) return await discover(tag, context);
  if (stack !== undefined) return await inventoryOfStack(resolve(context.cwd, stack), context);
  try {
    return await inventoryOfStack(await onlyStack(context.cwd), context);
  } catch (error) {
    if (!(error instanceof UserError) || error.code !== 'inventory/no-stack') throw error;
    return await discover([], context);
  }
}

/** The inventory of the clusters that carry the tags. */
export async function discover(
  tags: readonly string[],
  context: CommandContext,
): Promise<Inventory> {
  const pairs = tags.map((tag) => {
    const at = tag.indexOf('=');
    if (at < 1) throw badTag(tag);
    return [tag.slice(0, at), tag.slice(at + 1)] as const;
  });
  const opened = await openAzure(context);
  try {
    const subscription = await azureSubscription(context);
    const bounds = { budget: startBudget(opened.clock, DISCOVERY), signal: context.signal };
    const request = { subscription, tags: Object.fromEntries(pairs), now: context.clock.now() };
    return await discoverClusters(opened.azure, request, bounds);
  } finally {
    opened.close();
  }
}

/** A list and two subnets for each cluster; chosen. */
const DISCOVERY: Milliseconds = 10 * 60_000;
