import { readdir, rm, rmdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { userErrorsOf } from '../model/user-error.js';
import { errorCode } from '../workload/platform/files.js';
import type { ProcessIdentity } from '../workload/platform/processes.js';
import type { ComponentName } from './component.js';
import { leftovers } from './errors.js';
import type { Milliseconds } from '../model/quantity.js';
import { MESH_ROLE, meshPaths, type MeshPaths } from './state/paths.js';
import { keyOf, openProcessTable } from './state/process-file.js';
import { endProcesses } from './stop-processes.js';
import { PROCESS_VARIABLE, STATE_VARIABLE } from './supervise.js';
import { withMeshLock, type LocalWorld } from './world.js';

/** Their data goes with them, so there is nothing to save; time only for a clean goodbye. */
const GRACE: Milliseconds = 1_500;

/**
 * From the readers to the stores: a kube-apiserver whose etcd is gone hangs for minutes in its own
 * graceful stop. @see data/local-engines.md §4
 */
const STOP_ORDER: readonly (readonly ComponentName[])[] = [
  [
    'prometheus',
    'kvstoremesh',
    'clustermesh-apiserver',
    'agent-controller',
    'kwok',
    'kube-scheduler',
    'kube-controller-manager',
  ],
  ['kube-apiserver', 'link-relay'],
  ['etcd', 'mesh-etcd'],
];

/** What `down` found. */
export interface DownResult {
  readonly endedProcesses: number;
}

/**
 * Ends every process of the mesh in `stateDir` and removes its files. Works on whatever an
 * interrupted `up` or `down` left, also on a damaged or foreign state folder: processes are found by
 * the mark in their environment. Throws mesh/leftovers when something stays.
 */
export async function down(stateDir: string, world: LocalWorld): Promise<DownResult> {
  return withMeshLock(stateDir, 'meshscale down', world, async (mesh) => {
    const result = await clearMesh(mesh, world);
    world.progress.report({
      subject: MESH_ROLE,
      state: 'done',
      text: `is down: ${result.endedProcesses} processes ended, nothing left`,
    });
    return result;
  });
}

/** `down` for who holds the lock already. */
export async function clearMesh(mesh: MeshPaths, world: LocalWorld): Promise<DownResult> {
  const processes = await meshProcesses(mesh, world);
  const left = await endInOrder(processes, world);
  if (left.length > 0) {
    throw leftovers(left.map(({ key, pid }) => `process ${pid} (${key}) does not end`));
  }
  await removeFiles(mesh);
  return { endedProcesses: processes.length };
}

/** A process of the mesh with its name, `mesh-001/etcd`. */
export interface NamedProcess extends ProcessIdentity {
  readonly key: string;
}

/** Ends processes in the order in which they depend on each other; gives those that stay. */
export async function endInOrder(
  all: readonly NamedProcess[],
  world: LocalWorld,
): Promise<readonly NamedProcess[]> {
  const left: NamedProcess[] = [];
  const known = new Set(STOP_ORDER.flat().map(String));
  const unknown = all.filter(({ key }) => !known.has(basename(key)));
  for (const names of STOP_ORDER) {
    const these = all.filter(({ key }) => names.some((name) => basename(key) === name));
    const text = `ending ${names.join(', ')} (${these.length})`;
    world.progress.report({ subject: MESH_ROLE, state: 'running', text });
    left.push(...(await endProcesses(these, { ...world, grace: GRACE })));
  }
  left.push(...(await endProcesses(unknown, { ...world, grace: 0 })));
  return left;
}

/** Recorded ones and unrecorded ones with our mark, each once. */
async function meshProcesses(mesh: MeshPaths, world: LocalWorld): Promise<readonly NamedProcess[]> {
  const recorded = await recordedProcesses(mesh, world);
  const marked = world.processes.findByEnvironment(STATE_VARIABLE, mesh.root).map((found) => ({
    ...found,
    key: world.processes.environmentOf(found, PROCESS_VARIABLE) ?? 'unnamed',
  }));
  const all = [...recorded, ...marked].filter((one) => world.processes.state(one) !== 'gone');
  return [...new Map(all.map((one) => [one.pid, one])).values()];
}

async function recordedProcesses(
  mesh: MeshPaths,
  world: LocalWorld,
): Promise<readonly NamedProcess[]> {
  try {
    const table = await openProcessTable(mesh.processFile);
    return table.all().map((record) => ({ ...record, key: keyOf(record) }));
  } catch (error) {
    const [first] = userErrorsOf(error);
    if (first === undefined) throw error;
    world.progress.report({
      subject: MESH_ROLE,
      state: 'note',
      text: `${first.problem} (${first.given ?? ''}): processes are found by their environment`,
    });
    return [];
  }
}

/** Only names that are ours; mesh.json last, so that an interrupted `down` still knows the mesh. */
async function removeFiles(mesh: MeshPaths): Promise<void> {
  const clusters = (await readdir(mesh.root)).filter((name) => /^mesh-\d{3}$/.test(name));
  const folders = [...clusters.map((role) => mesh.cluster(role).root), mesh.pki, mesh.logs];
  for (const path of [...folders, mesh.prometheus, mesh.linkFile, mesh.processFile]) {
    await rm(path, { recursive: true, force: true });
  }
  await removeParts(mesh.root);
  await rm(mesh.meshFile, { force: true });
}

/** Files that a writer left when it was killed between writing and renaming. */
async function removeParts(root: string): Promise<void> {
  for (const name of await readdir(root)) {
    if (/^\..*\.part$|^lock\.[0-9a-f]+$/.test(name)) await rm(join(root, name), { force: true });
  }
}

/** Removes the state folder itself when nothing is in it any more. Call without the lock. */
export async function removeEmptyState(stateDir: string): Promise<void> {
  try {
    await rmdir(meshPaths(stateDir).root);
  } catch (error) {
    if (!['ENOTEMPTY', 'ENOENT', 'EEXIST'].includes(errorCode(error) ?? '')) throw error;
  }
}
