import type { UserError } from '../../model/user-error.js';
import { userErrorsOf } from '../../model/user-error.js';
import type { EtcdAccess } from '../kube/etcd/etcd-client.js';
import { createEtcdClient } from '../kube/etcd/grpc-etcd-client.js';
import type { Clock } from '../platform/clock.js';
import {
  connectionsOf,
  type ClusterConnection,
  type ConnectedCluster,
} from './cluster-connection.js';
import { notConnected } from './errors.js';
import { readPeerReadiness } from './readiness-metrics.js';

/**
 * Whether every cluster is connected to every other one, as each reader itself sees it: by its mesh etcd
 * where that can be reached, otherwise by what its agent and its kvstoremesh say of their peers. What
 * shows neither is `unseen`.
 */
export async function checkPeers(
  clusters: readonly ConnectedCluster[],
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<{ problems: readonly UserError[]; good: readonly string[]; unseen: readonly string[] }> {
  const connections = connectionsOf(clusters);
  if (connections.length < 2) return { problems: [], good: [], unseen: [] };
  const views = await Promise.all(
    connections.map(async (reader) => ({ reader, view: await viewOf(reader, clock, signal) })),
  );
  const problems: UserError[] = [];
  const unseen: string[] = [];
  let links = 0;
  for (const { reader, view } of views) {
    const { role } = reader.cluster;
    if (view.state === 'unseen') {
      unseen.push(`${role}: which peers it has synchronised (${view.why})`);
      continue;
    }
    const peers = connections.filter((peer) => peer !== reader).map(({ cluster }) => cluster);
    const without = peers.filter(({ ciliumName, role: own }) => !view.names.has(ciliumName ?? own));
    links += peers.length - without.length;
    const given = `${view.how}: ${[...view.names].join(', ') || 'nobody'}`;
    problems.push(...without.map((peer) => notConnected(peer.role, role, given, view.expected)));
  }
  const good = links > 0 ? [`${links} links are synchronised`] : [];
  return { problems, good, unseen };
}

type PeerView =
  | {
      readonly state: 'read';
      readonly names: ReadonlySet<string>;
      /** How the names were found. */
      readonly how: string;
      /** @default - a key in its mesh etcd */
      readonly expected?: string;
    }
  | { readonly state: 'unseen'; readonly why: string };

async function viewOf(
  reader: ClusterConnection,
  clock: Clock,
  signal: AbortSignal,
): Promise<PeerView> {
  if (reader.meshEtcd !== undefined) return await syncedNames(reader.meshEtcd, clock);
  const said = await readPeerReadiness(reader.kube, signal);
  if (said.length === 0) {
    return { state: 'unseen', why: 'neither its mesh etcd nor an agent can be asked' };
  }
  // A peer counts only when everybody who knows of it is connected.
  const all = [...new Set(said.flatMap(({ peers }) => [...peers.keys()]))];
  const ready = all.filter((name) => said.every(({ peers }) => peers.get(name) === true));
  const how = `ready, as ${said.map(({ component }) => component).join(' and ')} say`;
  return {
    ...{ state: 'read', names: new Set(ready), how },
    expected: 'remote_cluster_readiness_status 1 for it',
  };
}

/** `cilium/synced/<source>/cilium/cache/<resource>/v1` stands there once a resource is complete. */
async function syncedNames(access: EtcdAccess, clock: Clock): Promise<PeerView> {
  const etcd = createEtcdClient(access, { clock });
  try {
    const { entries } = await etcd.readPrefix(PREFIX);
    const names = entries
      .map(({ key }) => key.split('/'))
      .filter((parts) => parts.includes('cache'))
      .map(([, , source = '']) => source);
    return { state: 'read', names: new Set(names), how: 'synchronised' };
  } catch (error) {
    const [known] = userErrorsOf(error);
    if (known === undefined) throw error;
    return { state: 'unseen', why: known.given ?? known.problem };
  } finally {
    etcd.close();
  }
}

const PREFIX = 'cilium/synced/';
