import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Inventory } from '../../model/inventory.js';
import { errorCode } from '../platform/files.js';
import type { Processes } from '../platform/processes.js';
import { noOutputs, noStack } from './errors.js';
import { parseInventory } from './read-inventory.js';

/** What asking Terraform needs. */
export interface TerraformWorld {
  readonly processes: Processes;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/**
 * The inventory that a stack has put out. Asks Terraform, so that it makes no difference where the
 * state is. Throws when there is none.
 */
export async function inventoryOfStack(stack: string, world: TerraformWorld): Promise<Inventory> {
  // The same variable by which cdktf finds it; OpenTofu users set it.
  const command = world.env['TERRAFORM_BINARY_NAME'] ?? 'terraform';
  const args = ['output', '-no-color', '-json', 'inventory'];
  const { processes, env, signal } = world;
  const ended = await processes.run({ command, args, cwd: stack, env, signal });
  switch (ended.state) {
    case 'not-found':
      throw noOutputs(stack, `${command} is not installed`);
    case 'killed':
      throw noOutputs(stack, `${command} was killed by ${ended.signal}`);
    case 'ended':
      if (ended.exitCode !== 0) throw noOutputs(stack, ended.stderr.trim().slice(0, MOST_TEXT));
      return parseInventory(ended.stdout, join(stack, 'output inventory'));
  }
}

/** Terraform's errors are boxes of some lines; chosen. */
const MOST_TEXT = 1_000;

/** The one stack that was synthesized here; throws when there is none, or more than one. */
export async function onlyStack(cwd: string): Promise<string> {
  const folder = join(cwd, 'cdktf.out', 'stacks');
  const names = await readdir(folder).catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return [];
    throw error;
  });
  const [name] = names;
  if (name === undefined || names.length > 1) {
    const found = names.sort().map((one) => join('cdktf.out', 'stacks', one));
    throw noStack(`${folder}: ${names.length} stacks`, found);
  }
  return join(folder, name);
}
