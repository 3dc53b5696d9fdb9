import type { Inventory } from '../model/inventory.js';
import { durationText } from '../model/quantity.js';
import { UserErrors, userErrorsOf } from '../model/user-error.js';
import { millisecondsBetween } from '../workload/platform/clock.js';
import { ensureDirectory, PRIVATE_DIRECTORY } from '../workload/platform/files.js';
import { bringUp } from './bring-up.js';
import { checkCapacity } from './capacity.js';
import { clearMesh } from './down.js';
import { openSupervision, type OpenSupervision } from './open-supervision.js';
import { planState } from './plan-state.js';
import { refuseUnderRun } from './run-lock.js';
import { removeClusters } from './shrink.js';
import { refuseForeignFolder } from './state/ownership.js';
import { meshFile, type MeshState } from './state/mesh-file.js';
import { MESH_ROLE, type MeshPaths } from './state/paths.js';
import type { UpRequest } from './up-request.js';
import { withMeshLock, type LocalWorld } from './world.js';

/**
 * Makes the mesh in `stateDir` be what `spec` says: starts it, repairs it, grows it or shrinks it.
 * Ends when a Service made in each cluster has been seen in every other one. A mesh that was not
 * there before and could not be completed is removed again; one that was there is left running.
 * Throws mesh/in-use when a run is at work on it and it would become another.
 */
export async function up(request: UpRequest, world: LocalWorld): Promise<Inventory> {
  return withMeshLock(request.stateDir, 'meshscale up', world, async (mesh) => {
    const before = await meshFile(mesh.meshFile).read();
    await refuseForeignFolder(mesh);
    if (wouldChange(request, before)) await refuseUnderRun(mesh, world);
    const by = await openSupervision(mesh, world);
    await checkRoom(request, mesh, by);
    try {
      return await build(request, mesh, before, by);
    } catch (error) {
      await undo(request, mesh, before, world).catch((undoing: unknown) => {
        throw both(error, undoing);
      });
      throw error;
    }
  });
}

/** Whether there is more to do than a check or a repair, which a run at work may have. */
function wouldChange({ spec, versions }: UpRequest, before: MeshState | undefined): boolean {
  if (before === undefined || before.completedClusters < spec.clusters) return true;
  const { clusters, nodes, exportQps, meshQps } = before.spec;
  const known = before.inventory.clusters[0]?.components ?? {};
  return (
    clusters !== spec.clusters ||
    nodes !== spec.nodes ||
    exportQps !== spec.exportQps ||
    meshQps !== spec.meshQps ||
    Object.entries(versions).some(([name, version]) => known[name] !== version)
  );
}

/** What runs already has its memory; after a restart of the machine nothing does. */
async function checkRoom(request: UpRequest, mesh: MeshPaths, by: OpenSupervision): Promise<void> {
  const running = new Set(by.table.all().map(({ role }) => role));
  running.delete(MESH_ROLE);
  await checkCapacity(request.spec.clusters - running.size, mesh.root, by.host);
}

async function build(
  request: UpRequest,
  mesh: MeshPaths,
  before: MeshState | undefined,
  by: OpenSupervision,
): Promise<Inventory> {
  const start = by.clock.monoNs();
  const { clusters } = request.spec;
  if (before !== undefined) await removeClusters(mesh, before, clusters, by);
  const planned = await planState(request, before, by);
  const file = meshFile(mesh.meshFile);
  await file.write(planned);
  for (const directory of [mesh.logs, mesh.prometheus]) {
    await ensureDirectory(directory, PRIVATE_DIRECTORY);
  }
  const state = await bringUp(request, mesh, planned, by);
  await file.write({ ...state, completedClusters: clusters });
  const took = durationText(millisecondsBetween(start, by.clock.monoNs()));
  by.progress.report({
    subject: MESH_ROLE,
    state: 'done',
    text:
      clusters === 1
        ? `1 cluster, which has no peer to see (${took})`
        : `${clusters} clusters, every one sees every other one (${took})`,
  });
  return state.inventory;
}

/**
 * After a failure or Ctrl-C: a mesh that never stood is removed, one that was being grown becomes
 * what it was. Runs to its end; whoever cannot wait interrupts a second time.
 */
async function undo(
  request: UpRequest,
  mesh: MeshPaths,
  before: MeshState | undefined,
  interrupted: LocalWorld,
): Promise<void> {
  const world = { ...interrupted, signal: new AbortController().signal };
  const why = interrupted.signal.aborted ? 'interrupted' : 'failed';
  const tell = (state: 'note' | 'done', text: string): void => {
    world.progress.report({ subject: MESH_ROLE, state, text });
  };
  const stood = before?.completedClusters ?? 0;
  if (before !== undefined && stood >= request.spec.clusters) {
    tell(
      'note',
      `${why}: what runs stays; \`meshscale up\` goes on, \`meshscale down\` removes it`,
    );
  } else if (before === undefined || stood === 0) {
    tell('note', `${why}: removing the new mesh`);
    const { endedProcesses } = await clearMesh(mesh, world);
    tell('done', `is removed again: ${endedProcesses} processes ended, nothing left`);
  } else {
    tell('note', `${why}: going back to ${stood} ${stood === 1 ? 'cluster' : 'clusters'}`);
    const now = await meshFile(mesh.meshFile).read();
    const by = await openSupervision(mesh, world);
    await build({ ...request, spec: { ...before.spec, clusters: stood } }, mesh, now, by);
  }
}

/** The failure and what went wrong while it was cleaned up; a defect of ours wins over both. */
function both(failure: unknown, undoing: unknown): unknown {
  const [first, second] = [userErrorsOf(failure), userErrorsOf(undoing)];
  if (second.length === 0) return undoing;
  return first.length === 0 ? failure : new UserErrors([...first, ...second]);
}
