import { clusterRoles, directedPairs, pairName } from '../model/cluster-identity.js';
import { createEtcdClient } from '../workload/kube/etcd/grpc-etcd-client.js';
import type { ProcessState } from '../workload/platform/processes.js';
import { localMeshEtcdAccess, readMesh } from './access.js';
import type { ComponentName } from './component.js';
import { componentsOf } from './components/catalogue.js';
import { STOOD_IN, NOT_SHOWN } from './what-is-real.js';
import type { MeshState } from './state/mesh-file.js';
import { meshPaths } from './state/paths.js';
import { openProcessTable, type ProcessRecord } from './state/process-file.js';
import type { LocalWorld } from './world.js';

/** One process of the mesh, as it is now. */
export interface ComponentStatus {
  readonly role: string;
  readonly name: ComponentName;
  readonly state: ProcessState | 'not-started';
  readonly pid?: number;
  readonly ports?: Readonly<Record<string, number>>;
  readonly log?: string;
}

/** Whether `reader` has a synchronised cache of `source`. */
export interface LinkStatus {
  readonly pair: string;
  readonly state: 'synced' | 'not-synced' | 'unknown';
}

/** What `mesh status` tells. */
export interface MeshStatus {
  readonly stateDir: string;
  readonly spec: MeshState['spec'];
  readonly state: 'complete' | 'incomplete' | 'unwell';
  readonly versions: Readonly<Record<string, string>>;
  readonly components: readonly ComponentStatus[];
  readonly links: readonly LinkStatus[];
  readonly stoodIn: readonly string[];
  readonly notShown: readonly string[];
}

/** Looks at the mesh in `stateDir` without changing anything. Throws mesh/not-there without one. */
export async function meshStatus(
  stateDir: string,
  world: Pick<LocalWorld, 'processes' | 'signal'>,
): Promise<MeshStatus> {
  const state = await readMesh(stateDir);
  const table = await openProcessTable(meshPaths(stateDir).processFile);
  const roles = clusterRoles(state.spec.clusters);
  const components = componentsOf(roles).map(({ role, name }) =>
    componentStatus(role, name, table.find(role, name), world),
  );
  const links = await linkStatus(stateDir, roles, components);
  return {
    stateDir,
    spec: state.spec,
    state: overall(state, components, links),
    versions: { ...state.inventory.clusters[0]?.components },
    components,
    links,
    stoodIn: STOOD_IN,
    notShown: NOT_SHOWN,
  };
}

function componentStatus(
  role: string,
  name: ComponentName,
  record: ProcessRecord | undefined,
  world: Pick<LocalWorld, 'processes'>,
): ComponentStatus {
  if (record === undefined) return { role, name, state: 'not-started' };
  const { pid, ports, log } = record;
  return { role, name, state: world.processes.state(record), pid, ports, log };
}

function overall(
  state: MeshState,
  components: readonly ComponentStatus[],
  links: readonly LinkStatus[],
): MeshStatus['state'] {
  if (state.completedClusters < state.spec.clusters) return 'incomplete';
  const well =
    components.every((one) => one.state === 'running') &&
    links.every((link) => link.state === 'synced');
  return well ? 'complete' : 'unwell';
}

/** A reader has synchronised a source when every resource has its `synced` key in the reader's etcd. */
async function linkStatus(
  stateDir: string,
  roles: readonly string[],
  components: readonly ComponentStatus[],
): Promise<readonly LinkStatus[]> {
  const readers = await Promise.all(
    roles.map(async (reader) => {
      const store = components.find((one) => one.role === reader && one.name === 'mesh-etcd');
      const synced = store?.state === 'running' ? await syncedPeers(stateDir, reader) : undefined;
      return [reader, synced] as const;
    }),
  );
  const known = new Map(readers);
  return directedPairs(roles).map((pair) => {
    const synced = known.get(pair.reader);
    const state =
      synced === undefined ? 'unknown' : synced.has(pair.source) ? 'synced' : 'not-synced';
    return { pair: pairName(pair), state };
  });
}

async function syncedPeers(
  stateDir: string,
  reader: string,
): Promise<ReadonlySet<string> | undefined> {
  const etcd = createEtcdClient(await localMeshEtcdAccess(stateDir, reader));
  try {
    const { entries } = await etcd.readPrefix('cilium/synced/');
    return new Set(
      entries
        .map(({ key }) => key.split('/'))
        .filter((parts) => parts.includes('cache'))
        .map(([, , source = '']) => source),
    );
  } catch {
    // The store does not answer: whether its links are synchronised cannot be known.
    return undefined;
  } finally {
    etcd.close();
  }
}
