import type { Milliseconds } from '../../model/quantity.js';
import { PROMETHEUS_SERVICE, serviceProxyPath } from '../kube/service-proxy.js';
import {
  connectionsOf,
  type ClusterConnection,
  type ConnectedCluster,
} from './cluster-connection.js';

/**
 * Whether the Prometheus that a run would ask answers in every cluster. Without it a run still loads and
 * measures what it can, but a rule about coverage makes it invalid: better known before.
 */
export async function checkPrometheus(
  clusters: readonly ConnectedCluster[],
  { signal }: { readonly signal: AbortSignal },
): Promise<{ problems: readonly []; good: readonly string[]; unseen: readonly string[] }> {
  const asked = connectionsOf(clusters).filter(
    ({ cluster }) => cluster.prometheus?.kind === 'in-cluster',
  );
  const trouble = await Promise.all(asked.map((connection) => ask(connection, signal)));
  const unseen = trouble.flatMap((text) => text ?? []);
  const well = asked.length - unseen.length;
  const good = well === 0 ? [] : [`Prometheus answers in ${well} of ${asked.length} clusters`];
  return { problems: [], good, unseen };
}

async function ask(
  { kube, cluster }: ClusterConnection,
  signal: AbortSignal,
): Promise<string | undefined> {
  const service = cluster.prometheus?.url ?? PROMETHEUS_SERVICE;
  const path = `${serviceProxyPath(service)}/api/v1/query?query=1`;
  const answer = await kube.request('GET', path, undefined, { signal, timeout: TIMEOUT });
  if (answer.ok) return undefined;
  const said = answer.status === 0 ? 'no answer' : `${answer.status} ${answer.reason}`;
  return `${cluster.role}: Prometheus at ${service} (${said}): what comes from it will be missing, and a rule about coverage makes a run invalid; --prometheus-service names another`;
}

/** Ours, as for a question of a run: a large Prometheus takes its time. */
const TIMEOUT: Milliseconds = 15_000;
