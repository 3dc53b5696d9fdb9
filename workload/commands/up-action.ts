import { join } from 'node:path';
import type { Programs } from '../../local/cluster-facts.js';
import { machineEngines } from '../../local/engines/engine-context.js';
import { ENGINE_NAMES, type EngineName } from '../../local/engines/engine-names.js';
import { resolveEngines } from '../../local/engines/resolve-engines.js';
import { parseSpec, type SpecFlags } from '../../local/spec.js';
import { meshFile } from '../../local/state/mesh-file.js';
import { meshPaths } from '../../local/state/paths.js';
import { up } from '../../local/up.js';
import { stateDirectory } from '../../local/world.js';
import type { Inventory } from '../../model/inventory.js';
import { packageFolder } from '../platform/package-folder.js';
import type { CommandContext } from './context.js';
import { localWorld } from './local-world.js';

/** Brings the mesh up as the flags say and tells where it stands. */
export async function upFromFlags(
  flags: SpecFlags & { readonly state?: string },
  context: CommandContext,
): Promise<Inventory> {
  const stateDir = stateDirectory(flags.state, context.env, context.cwd);
  const known = await meshFile(meshPaths(stateDir).meshFile).read();
  const spec = parseSpec(flags, known?.spec);
  const world = localWorld(context);
  const engines = await resolveEngines(ENGINE_NAMES, machineEngines(world));
  const programs: Programs = { engines: byName(engines, 'path'), ourselves: ourselves() };
  const versions = byName(engines, 'version');
  const inventory = await up({ stateDir, spec, programs, versions }, world);
  tell(inventory, stateDir, context);
  return inventory;
}

function byName<Key extends 'path' | 'version'>(
  engines: Readonly<Record<EngineName, Readonly<Record<Key, string>>>>,
  key: Key,
): Record<EngineName, string> {
  const entries = ENGINE_NAMES.map((name) => [name, engines[name][key]] as const);
  return Object.fromEntries(entries) as Record<EngineName, string>;
}

/** How this very program is started again for its long-lived parts. */
function ourselves(): Programs['ourselves'] {
  const entry = join(packageFolder(import.meta.dirname), 'bin', 'meshscale.js');
  return { program: process.execPath, args: [entry, 'internal'] };
}

function tell(inventory: Inventory, stateDir: string, context: CommandContext): void {
  if (context.wantsJson()) {
    context.output.json(inventory);
    return;
  }
  for (const { role } of inventory.clusters) {
    context.output.data(`${role}  kubectl --kubeconfig ${stateDir}/${role}/kubeconfig get nodes`);
  }
}
