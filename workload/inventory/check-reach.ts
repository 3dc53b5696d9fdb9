import type { UserError } from '../../model/user-error.js';
import type { ConnectedCluster } from './cluster-connection.js';
import { unreachable } from './errors.js';

/** Whether every API server answers, knows us, and lets us make namespaces. */
export async function checkReach(
  clusters: readonly ConnectedCluster[],
  signal: AbortSignal,
): Promise<{ problems: readonly UserError[]; good: readonly string[]; unseen: readonly string[] }> {
  const found = await Promise.all(clusters.map((cluster) => reach(cluster, signal)));
  const problems = found.flat();
  const well = clusters.length - found.filter((errors) => errors.length > 0).length;
  return { problems, good: [`${well} of ${clusters.length} API servers can be used`], unseen: [] };
}

async function reach(one: ConnectedCluster, signal: AbortSignal): Promise<readonly UserError[]> {
  if (one.state === 'unreachable') return one.errors;
  const { kube, cluster } = one.connection;
  const options = { signal, timeout: TIMEOUT };
  const body = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: REVIEW,
  };
  const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
  const answer = await kube.request('POST', path, body, options);
  const { server } = kube.access;
  if (!answer.ok) {
    const said = answer.status === 0 ? 'no answer' : String(answer.status);
    const given = `${server}: ${said} ${answer.reason}: ${answer.message}`;
    const next =
      answer.status === 401 ? 'log in again' : 'check that the cluster runs and can be reached';
    return [unreachable(cluster.role, given, next)];
  }
  if (isAllowed(answer.body)) return [];
  const given = `${server} does not let us create namespaces`;
  return [unreachable(cluster.role, given, 'get the right to create and delete namespaces there')];
}

function isAllowed(body: unknown): boolean {
  if (typeof body !== 'object' || body === null || !('status' in body)) return false;
  const { status } = body;
  return (
    typeof status === 'object' && status !== null && 'allowed' in status && status.allowed === true
  );
}

/** Everything that a run makes stands in namespaces of its own. */
const REVIEW = { resourceAttributes: { verb: 'create', resource: 'namespaces' } };
/** Ours: an API server that needs longer for this is of no use for a measurement. */
const TIMEOUT = 10_000;
