import type { UserError } from '../../model/user-error.js';
import { userErrorsOf } from '../../model/user-error.js';
import { createEtcdClient } from '../kube/etcd/grpc-etcd-client.js';
import type { Clock } from '../platform/clock.js';
import type { ClusterConnection, ConnectedCluster } from './cluster-connection.js';
import { notConnected } from './errors.js';

/**
 * Whether every cluster has synchronised every other one, as the reader's own mesh etcd says. Where
 * that etcd cannot be reached it is said so: nothing else shows it without an agent.
 */
export async function checkPeers(
  clusters: readonly ConnectedCluster[],
  { clock }: { readonly clock: Clock },
): Promise<{ problems: readonly UserError[]; good: readonly string[]; unseen: readonly string[] }> {
  const connections = clusters.flatMap((one) =>
    one.state === 'connected' ? [one.connection] : [],
  );
  const found = await Promise.all(
    connections.map(async (reader) => ({ reader, seen: await syncedNames(reader, clock) })),
  );
  const problems: UserError[] = [];
  const unseen: string[] = [];
  let links = 0;
  for (const { reader, seen } of found) {
    const { role } = reader.cluster;
    if (seen.state === 'unseen')
      unseen.push(`${role}: which peers it has synchronised (${seen.why})`);
    if (seen.state !== 'read') continue;
    const peers = connections.filter((peer) => peer !== reader).map(({ cluster }) => cluster);
    const without = peers.filter(
      ({ ciliumName, role: name }) => !seen.names.has(ciliumName ?? name),
    );
    links += peers.length - without.length;
    problems.push(
      ...without.map((peer) =>
        notConnected(peer.role, role, `synchronised: ${[...seen.names].join(', ') || 'nobody'}`),
      ),
    );
  }
  const good = links > 0 ? [`${links} links are synchronised`] : [];
  return { problems, good, unseen };
}

type SyncedNames =
  | { readonly state: 'read'; readonly names: ReadonlySet<string> }
  | { readonly state: 'unseen'; readonly why: string };

/** `cilium/synced/<source>/cilium/cache/<resource>/v1` stands there once a resource is complete. */
async function syncedNames({ meshEtcd }: ClusterConnection, clock: Clock): Promise<SyncedNames> {
  if (meshEtcd === undefined) return { state: 'unseen', why: 'its mesh etcd cannot be reached' };
  const etcd = createEtcdClient(meshEtcd, { clock });
  try {
    const { entries } = await etcd.readPrefix(PREFIX);
    const names = entries
      .map(({ key }) => key.split('/'))
      .filter((parts) => parts.includes('cache'))
      .map(([, , source = '']) => source);
    return { state: 'read', names: new Set(names) };
  } catch (error) {
    const [known] = userErrorsOf(error);
    if (known === undefined) throw error;
    return { state: 'unseen', why: known.given ?? known.problem };
  } finally {
    etcd.close();
  }
}

const PREFIX = 'cilium/synced/';
