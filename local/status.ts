import { clusterRoles, directedPairs, pairName } from '../model/cluster-identity.js';
import type { Milliseconds } from '../model/quantity.js';
import { userErrorsOf } from '../model/user-error.js';
import { createEtcdClient } from '../workload/kube/etcd/grpc-etcd-client.js';
import { lockHolder } from '../workload/platform/lock.js';
import type { ProcessState } from '../workload/platform/processes.js';
import { localMeshEtcdAccess } from './access.js';
import type { ComponentName } from './component.js';
import { componentsOf } from './components/catalogue.js';
import { STOOD_IN, NOT_SHOWN } from './what-is-real.js';
import { meshNotThere } from './errors.js';
import { runningMarked, unrecorded, type MarkedProcess } from './marked-processes.js';
import { meshFile, type MeshState } from './state/mesh-file.js';
import { meshPaths } from './state/paths.js';
import { openProcessTable, type ProcessRecord } from './state/process-file.js';
import { syncedSources } from './synced-sources.js';
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
  /** Processes with the mesh's mark that nobody wrote down, such as `mesh-001/etcd (4711)`. */
  readonly unrecorded: readonly string[];
  /** Who is changing the mesh right now. @default - nobody */
  readonly changedBy?: string;
  /** The run that is at work on the mesh. @default - none */
  readonly usedBy?: string;
  readonly stoodIn: readonly string[];
  readonly notShown: readonly string[];
}

/**
 * Looks at the mesh in `stateDir` without changing anything. Throws mesh/not-there without one, and
 * names what still runs of it.
 */
export async function meshStatus(
  stateDir: string,
  world: Pick<LocalWorld, 'processes' | 'signal'>,
): Promise<MeshStatus> {
  const paths = meshPaths(stateDir);
  const marked = runningMarked(stateDir, world);
  const state = await meshFile(paths.meshFile).read();
  if (state === undefined) throw meshNotThere(stateDir, marked.map(nameOf));
  const holder = await lockHolder(paths.lock, world.processes);
  const run = await lockHolder(paths.runLock, world.processes);
  const table = await openProcessTable(paths.processFile);
  const roles = clusterRoles(state.spec.clusters);
  const components = componentsOf(roles).map(({ role, name }) =>
    componentStatus(role, name, table.find(role, name), world),
  );
  const links = await linkStatus(stateDir, roles, components);
  // Between the start of a process and its record there is a moment: no leftover while `up` runs.
  const leftOver = holder === undefined ? unrecorded(marked, table.all()).map(nameOf) : [];
  return {
    stateDir,
    spec: state.spec,
    state: overall(state, components, links, leftOver),
    versions: { ...state.inventory.clusters[0]?.components },
    components,
    links,
    unrecorded: leftOver,
    ...(holder === undefined ? {} : { changedBy: `${holder.purpose} (process ${holder.pid})` }),
    ...(run === undefined ? {} : { usedBy: `${run.purpose} (process ${run.pid})` }),
    stoodIn: STOOD_IN,
    notShown: NOT_SHOWN,
  };
}

function nameOf({ key, pid }: MarkedProcess): string {
  return `${key} (${pid})`;
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
  leftOver: readonly string[],
): MeshStatus['state'] {
  if (state.completedClusters < state.spec.clusters) return 'incomplete';
  const well =
    components.every((one) => one.state === 'running') &&
    links.every((link) => link.state === 'synced') &&
    leftOver.length === 0;
  return well ? 'complete' : 'unwell';
}

/**
 * A reader has synchronised a source when every resource has its `synced` key in the reader's etcd.
 * The keys outlive the kvstoremesh that wrote them, so they say nothing when that does not run.
 */
async function linkStatus(
  stateDir: string,
  roles: readonly string[],
  components: readonly ComponentStatus[],
): Promise<readonly LinkStatus[]> {
  const runs = (role: string, name: ComponentName): boolean =>
    components.some((one) => one.role === role && one.name === name && one.state === 'running');
  const readers = await Promise.all(
    roles.map(async (reader) => {
      const readable = runs(reader, 'mesh-etcd') && runs(reader, 'kvstoremesh');
      return [reader, readable ? await syncedPeers(stateDir, reader) : undefined] as const;
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
    await etcd.ready(ANSWER_BUDGET);
    return await syncedSources(etcd);
  } catch (error) {
    if (userErrorsOf(error).length === 0) throw error;
    // The store does not answer: whether its links are synchronised cannot be known.
    return undefined;
  } finally {
    etcd.close();
  }
}

/** A look at the mesh is to be quick; a store that needs longer is unwell. Chosen. */
const ANSWER_BUDGET: Milliseconds = 3_000;
