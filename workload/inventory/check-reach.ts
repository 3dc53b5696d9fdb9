import { X509Certificate } from 'node:crypto';
import type { Milliseconds } from '../../model/quantity.js';
import type { UserError } from '../../model/user-error.js';
import type { KubeAccess } from '../kube/kube-client.js';
import type { Clock } from '../platform/clock.js';
import type { ConnectedCluster } from './cluster-connection.js';
import { notAccepted, unreachable } from './errors.js';

/** Whether every API server answers, knows us, and lets us make namespaces. */
export async function checkReach(
  clusters: readonly ConnectedCluster[],
  world: { readonly clock: Pick<Clock, 'now'>; readonly signal: AbortSignal },
): Promise<{ problems: readonly UserError[]; good: readonly string[]; unseen: readonly string[] }> {
  const found = await Promise.all(clusters.map((cluster) => reach(cluster, world)));
  const problems = found.flat();
  const well = clusters.length - found.filter((errors) => errors.length > 0).length;
  return { problems, good: [`${well} of ${clusters.length} API servers can be used`], unseen: [] };
}

async function reach(
  one: ConnectedCluster,
  { clock, signal }: Parameters<typeof checkReach>[1],
): Promise<readonly UserError[]> {
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
    if (answer.status === 401) {
      return [notAccepted(cluster.role, `${given}${endOf(kube.access, clock.now())}`)];
    }
    const next = 'check that the cluster runs and can be reached';
    return [unreachable(cluster.role, given, next)];
  }
  if (isAllowed(answer.body)) return [];
  const given = `${server} does not let us create namespaces`;
  return [unreachable(cluster.role, given, 'get the right to create and delete namespaces there')];
}

/** The API server says only that it does not know us; the certificate itself says why. */
function endOf({ credential }: KubeAccess, now: Milliseconds): string {
  if (credential.kind !== 'certificate') return '';
  try {
    const end = Date.parse(new X509Certificate(credential.certPem).validTo);
    if (!(end < now)) return '';
    return ` (the client certificate has expired: ${new Date(end).toISOString()})`;
  } catch {
    return '';
  }
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
