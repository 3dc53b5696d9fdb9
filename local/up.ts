import { clusterRoles } from '../model/cluster-identity.js';
import type { Inventory } from '../model/inventory.js';
import { durationText } from '../model/quantity.js';
import { millisecondsBetween } from '../workload/platform/clock.js';
import { ensureDirectory, PRIVATE_DIRECTORY } from '../workload/platform/files.js';
import { checkCapacity } from './capacity.js';
import { checkMesh } from './check-mesh.js';
import { bringUpCluster } from './cluster.js';
import { clusterFacts, type ClusterFacts, type Programs } from './cluster-facts.js';
import { prometheus } from './components/shared-components.js';
import { connectClusters } from './connect.js';
import { clusterCredentials, ensureMeshAuthority } from './credentials.js';
import { clearMesh } from './down.js';
import type { EngineName } from './engines/engine-names.js';
import { localInventory } from './inventory.js';
import { removeClusters } from './shrink.js';
import { meshFile, type MeshSpec, type MeshState } from './state/mesh-file.js';
import { MESH_ROLE, type MeshPaths } from './state/paths.js';
import { planPorts } from './state/port-plan.js';
import { ensureRunning, type Supervision } from './supervise.js';
import { openSupervision } from './open-supervision.js';
import { withMeshLock, type LocalWorld } from './world.js';

/** What `up` is asked for. */
export interface UpRequest {
  readonly stateDir: string;
  readonly spec: MeshSpec;
  readonly programs: Programs;
  readonly versions: Readonly<Record<EngineName, string>>;
}

/**
 * Makes the mesh in `stateDir` be what `spec` says: starts it, repairs it, grows it or shrinks it.
 * Ends when a Service made in each cluster has been seen in every other one. A mesh that was not
 * there before and could not be completed is removed again; one that was there is left running.
 */
export async function up(request: UpRequest, world: LocalWorld): Promise<Inventory> {
  return withMeshLock(request.stateDir, 'meshscale up', world, async (mesh) => {
    const before = await meshFile(mesh.meshFile).read();
    try {
      return await build(request, mesh, before, world);
    } catch (error) {
      await undo(request, mesh, before, world);
      throw error;
    }
  });
}

async function build(
  request: UpRequest,
  mesh: MeshPaths,
  before: MeshState | undefined,
  world: LocalWorld,
): Promise<Inventory> {
  const start = world.clock.monoNs();
  const { spec } = request;
  await checkCapacity(spec.clusters - (before?.spec.clusters ?? 0), mesh.root, world.host);
  const by = await openSupervision(mesh, world);
  if (before !== undefined) await removeClusters(mesh, before, spec.clusters, by);
  const state = await planState(request, mesh, before, world);
  const file = meshFile(mesh.meshFile);
  await file.write(state);
  const clusters = await gatherFacts(request, mesh, state, world);
  await startAll(request, mesh, state, clusters, by);
  await checkMesh(clusters, by);
  await file.write({ ...state, completedClusters: spec.clusters });
  const took = durationText(millisecondsBetween(start, world.clock.monoNs()));
  world.progress.report({
    subject: MESH_ROLE,
    state: 'done',
    text: `${spec.clusters} clusters, every one sees every other one (${took})`,
  });
  return state.inventory;
}

async function planState(
  request: UpRequest,
  mesh: MeshPaths,
  before: MeshState | undefined,
  world: LocalWorld,
): Promise<MeshState> {
  const { spec, stateDir, versions } = request;
  const ports = await planPorts(spec.clusters, before?.ports ?? {}, world.random);
  const createdAt =
    before === undefined ? world.clock.now() : Date.parse(before.inventory.createdAt);
  const inventory = localInventory({ stateDir, spec, ports, versions, createdAt });
  for (const directory of [mesh.logs, mesh.prometheus]) {
    await ensureDirectory(directory, PRIVATE_DIRECTORY);
  }
  const completedClusters = Math.min(before?.completedClusters ?? 0, spec.clusters);
  return { spec, completedClusters, ports, inventory };
}

async function gatherFacts(
  request: UpRequest,
  mesh: MeshPaths,
  state: MeshState,
  world: LocalWorld,
): Promise<readonly ClusterFacts[]> {
  const now = world.clock.now();
  await ensureMeshAuthority(mesh.pki, now);
  return Promise.all(
    clusterRoles(state.spec.clusters).map(async (role) => {
      const directories = { cluster: mesh.cluster(role).pki, mesh: mesh.pki };
      const credentials = await clusterCredentials(role, directories, now);
      const { spec, ports } = state;
      return clusterFacts(role, { spec, ports, mesh, credentials, programs: request.programs });
    }),
  );
}

async function startAll(
  request: UpRequest,
  mesh: MeshPaths,
  state: MeshState,
  clusters: readonly ClusterFacts[],
  by: Supervision,
): Promise<void> {
  const { programs } = request;
  const { ports } = state;
  await allOrFirstError([
    ensureRunning(prometheus(mesh, ports, programs, clusters), by),
    ...clusters.map((cluster) => bringUpCluster(cluster, by)),
  ]);
  await connectClusters({ mesh, ports, programs, clusters }, by);
}

/** Waits for all, so that nothing is still being started when a failure is cleaned up. */
async function allOrFirstError(deeds: readonly Promise<unknown>[]): Promise<void> {
  const results = await Promise.allSettled(deeds);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
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
  const stood = before?.completedClusters ?? 0;
  world.progress.report({ subject: MESH_ROLE, state: 'note', text: 'failed: putting things back' });
  if (before === undefined || stood === 0) {
    await clearMesh(mesh, world);
  } else if (stood < request.spec.clusters) {
    const now = await meshFile(mesh.meshFile).read();
    await build({ ...request, spec: { ...before.spec, clusters: stood } }, mesh, now, world);
  }
}
