import type { KubeClient, KubeObject } from '../workload/kube/kube-client.js';
import type { Clock } from '../workload/platform/clock.js';
import { installCrds } from './agent-controller/install-crds.js';
import { apiRefused } from './errors.js';
import { roleObjects } from './rbac.js';

/** Whose fields these are in server-side apply. */
const FIELD_MANAGER = 'meshscale';

const COLLECTIONS: Readonly<Record<string, string>> = {
  ClusterRole: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  ClusterRoleBinding: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
};

/** Applies what every cluster of the mesh needs before its components can work: roles and CRDs. */
export async function applyBaseObjects(
  role: string,
  client: KubeClient,
  by: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  const [crds] = await Promise.all([
    installCrds({ client, ...by }),
    ...roleObjects().map((object) => apply(role, client, object)),
  ]);
  if (crds.state === 'timed-out') {
    throw apiRefused(role, "serve Cilium's kinds", crds.missing.join('\n'));
  }
}

async function apply(role: string, client: KubeClient, object: KubeObject): Promise<void> {
  const { kind = '', metadata } = object;
  const collection = COLLECTIONS[kind];
  if (collection === undefined) throw new Error(`no collection is known for kind ${kind}`);
  const path = `${collection}/${metadata.name}?fieldManager=${FIELD_MANAGER}&force=true`;
  const answer = await client.patch(path, 'apply', object);
  if (!answer.ok) throw apiRefused(role, `apply ${kind} ${metadata.name}`, answer.message);
}
