import { clusterRoles } from '../model/cluster-identity.js';
import { checkMesh } from './check-mesh.js';
import { bringUpCluster } from './cluster.js';
import { clusterFacts, type ClusterFacts } from './cluster-facts.js';
import { prometheus } from './components/shared-components.js';
import { connectClusters } from './connect.js';
import { clusterCredentials, ensureMeshAuthority } from './credentials.js';
import type { Attempt } from './exit-error.js';
import type { OpenSupervision } from './open-supervision.js';
import { planState, withoutPorts } from './plan-state.js';
import { meshFile, type MeshPorts, type MeshState } from './state/mesh-file.js';
import { MESH_ROLE, type MeshPaths } from './state/paths.js';
import { ensureRunning } from './supervise.js';
import { together } from './together.js';
import type { UpRequest } from './up-request.js';

/**
 * A port that another program took between the search and the start costs one attempt, and so does
 * a component that ends just after it was ready. Chosen: whoever loses three times in a row has a
 * problem that a fourth does not solve.
 */
const MOST_ATTEMPTS = 3;

/**
 * Starts what does not run yet and checks that the mesh connects. Goes through all of it again, with
 * other ports where need be: what is healthy is kept, and what depends on a changed port is started
 * anew because its files changed. Gives the state that stands.
 */
export async function bringUp(
  request: UpRequest,
  mesh: MeshPaths,
  planned: MeshState,
  by: OpenSupervision,
): Promise<MeshState> {
  let state = planned;
  for (let number = 1; ; number += 1) {
    const attempt = {
      ...by.attempt,
      number,
      takenPorts: new Set<number>(),
      vanished: new Set<string>(),
    };
    try {
      await pass(request, mesh, state, { ...by, attempt });
      return state;
    } catch (error) {
      if (number === MOST_ATTEMPTS || by.signal.aborted || !canBeMended(attempt)) throw error;
      tellAgain(attempt, state, by);
      const ports = withoutPorts(state.ports, attempt.takenPorts);
      state = await planState(request, { ...state, ports }, by);
      await meshFile(mesh.meshFile).write(state);
    }
  }
}

async function pass(
  request: UpRequest,
  mesh: MeshPaths,
  state: MeshState,
  by: OpenSupervision,
): Promise<void> {
  const { programs } = request;
  const { ports } = state;
  const clusters = await gatherFacts(request, mesh, state, by);
  await together(
    by.signal,
    clusters.map((cluster) => (signal: AbortSignal) => bringUpCluster(cluster, { ...by, signal })),
  );
  await together<unknown>(by.signal, [
    // Last, because what it scrapes are the API servers that are busy with their start until here.
    (signal) => ensureRunning(prometheus(mesh, ports, programs, clusters), { ...by, signal }),
    async (signal) => {
      await connectClusters({ mesh, ports, programs, clusters }, { ...by, signal });
      await checkMesh(clusters, { ...by, signal });
    },
  ]);
}

async function gatherFacts(
  request: UpRequest,
  mesh: MeshPaths,
  state: MeshState,
  by: OpenSupervision,
): Promise<readonly ClusterFacts[]> {
  const now = by.clock.now();
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

function canBeMended(attempt: Attempt): boolean {
  return attempt.takenPorts.size > 0 || attempt.vanished.size > 0;
}

function tellAgain(attempt: Attempt, { ports }: MeshState, by: OpenSupervision): void {
  const what = [
    ...[...attempt.takenPorts].map(
      (port) => `port ${port} (${ownerOf(port, ports)}) was taken by another program`,
    ),
    ...[...attempt.vanished].map((key) => `${key} ended`),
  ];
  by.progress.report({ subject: MESH_ROLE, state: 'note', text: `${what.join(', ')}: once more` });
}

/** `mesh-002 apiserver`: whose port it is in the plan. */
function ownerOf(port: number, ports: MeshPorts): string {
  const owners = Object.entries(ports).flatMap(([role, purposes]) =>
    Object.entries(purposes).map(([purpose, number]) => ({ number, name: `${role} ${purpose}` })),
  );
  return owners.find(({ number }) => number === port)?.name ?? 'no longer planned';
}
