import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { userErrorsOf } from '../model/user-error.js';
import type { ComponentName } from './component.js';
import { leftovers } from './errors.js';
import type { Milliseconds } from '../model/quantity.js';
import { runningMarked, UNNAMED, type NamedProcess } from './marked-processes.js';
import { refuseUnderRun } from './run-lock.js';
import { isOurs } from './state/ownership.js';
import { MESH_ROLE, type MeshPaths } from './state/paths.js';
import { keyOf, openProcessTable } from './state/process-file.js';
import { endProcesses } from './stop-processes.js';
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
  /** False when there was no mesh, and nothing of one. */
  readonly found: boolean;
  readonly endedProcesses: number;
}

/**
 * Ends every process of the mesh in `stateDir` and removes its files. Works on whatever an
 * interrupted `up` or `down` left, also on a damaged or foreign state folder: processes are found by
 * the mark in their environment. Throws mesh/leftovers when something stays, mesh/in-use while a run
 * is at work on it.
 */
export async function down(stateDir: string, world: LocalWorld): Promise<DownResult> {
  const result = existsNothing(stateDir, world)
    ? { found: false, endedProcesses: 0 }
    : await withMeshLock(stateDir, 'meshscale down', world, async (mesh) => {
        await refuseUnderRun(mesh, world);
        return await clearMesh(mesh, world);
      });
  const text = result.found
    ? `is down: ${result.endedProcesses} processes ended, nothing left`
    : `there is none in ${stateDir}: nothing to do`;
  world.progress.report({ subject: MESH_ROLE, state: 'done', text });
  return result;
}

/** Without its folder nothing is to be done, unless processes of the mesh have outlived it. */
function existsNothing(stateDir: string, world: LocalWorld): boolean {
  return !existsSync(stateDir) && runningMarked(stateDir, world).length === 0;
}

/** `down` for who holds the lock already. */
export async function clearMesh(mesh: MeshPaths, world: LocalWorld): Promise<DownResult> {
  const processes = [...(await meshProcesses(mesh, world))];
  const left = [...(await endInOrder(processes, world))];
  // A process shows no environment while it is being started: whom the first look missed, this sees.
  const late = runningMarked(mesh.root, world).filter(
    ({ pid }) => !left.some((one) => one.pid === pid),
  );
  processes.push(...late);
  left.push(...(await endProcesses(late, { ...world, grace: 0 })));
  if (left.length > 0) {
    throw leftovers(left.map(({ key, pid }) => `process ${pid} (${key}) does not end`));
  }
  const hadFiles = await isOurs(mesh);
  if (hadFiles) await removeFiles(mesh);
  await removeParts(mesh.root);
  return { found: hadFiles || processes.length > 0, endedProcesses: countOwn(processes) };
}

/** Helpers that a process of ours started itself (Node's loaders do) are part of it. */
function countOwn(processes: readonly NamedProcess[]): number {
  return new Set(processes.map(({ key, pid }) => (key === UNNAMED ? pid : key))).size;
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
  const recorded = (await recordedProcesses(mesh, world)).filter(
    (one) => world.processes.state(one) !== 'gone',
  );
  const all = [...recorded, ...runningMarked(mesh.root, world)];
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
  await rm(mesh.meshFile, { force: true });
}

/** Files that a writer left when it was killed between writing and renaming, and the lock of a killed run. */
async function removeParts(root: string): Promise<void> {
  for (const name of await readdir(root)) {
    if (PART.test(name)) await rm(join(root, name), { force: true });
  }
}

const PART =
  /^\.(mesh|processes|links)\.json\.[0-9a-f]+\.part$|^(run\.)?lock(\.claim)?\.[0-9a-f]+$|^(run\.)?lock\.claim$|^run\.lock$/;
