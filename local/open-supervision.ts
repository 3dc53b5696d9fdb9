import { runningMarked, unrecorded } from './marked-processes.js';
import { MESH_ROLE, type MeshPaths } from './state/paths.js';
import { keyOf, openProcessTable, type ProcessTable } from './state/process-file.js';
import { endProcesses } from './stop-processes.js';
import type { Supervision } from './supervise.js';
import type { LocalWorld } from './world.js';

/** What of our environment the mesh's processes may see; nothing with a secret in it. */
const INHERITED = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'TZ'];

/** What bringing a mesh up needs, with the whole world around it. */
export type OpenSupervision = Supervision & LocalWorld;

/**
 * Opens the process table and makes it true: records of processes that are gone are dropped, and
 * processes that carry our mark but stand in no record (their starter was killed in between) are ended.
 */
export async function openSupervision(
  mesh: MeshPaths,
  world: LocalWorld,
): Promise<OpenSupervision> {
  const table = await openProcessTable(mesh.processFile);
  const lost = await dropGone(table, world);
  await endUnrecorded(mesh, table, world);
  return {
    ...world,
    stateDir: mesh.root,
    table,
    lost,
    attempt: { number: 1, takenPorts: new Set(), vanished: new Set(), unready: new Set() },
    childEnvironment: Object.fromEntries(
      INHERITED.flatMap((name) => {
        const value = world.env[name];
        return value === undefined ? [] : [[name, value]];
      }),
    ),
  };
}

async function dropGone(table: ProcessTable, world: LocalWorld): Promise<Set<string>> {
  const gone = table.all().filter((record) => world.processes.state(record) === 'gone');
  for (const record of gone) await table.remove(record.role, record.name);
  return new Set(gone.map(keyOf));
}

async function endUnrecorded(
  mesh: MeshPaths,
  table: ProcessTable,
  world: LocalWorld,
): Promise<void> {
  const unknown = unrecorded(runningMarked(mesh.root, world), table.all());
  if (unknown.length === 0) return;
  world.progress.report({
    subject: MESH_ROLE,
    state: 'note',
    text: `ending ${unknown.length} processes that an interrupted meshscale left unrecorded`,
  });
  await endProcesses(unknown, { ...world, grace: 0 });
}
