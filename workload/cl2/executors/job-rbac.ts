import type { Cl2Job } from '../generate.js';
import { JOB_ACCOUNT, JOB_NAMESPACE } from './job-settings.js';

/** An object of the API, with the collection that it is made in. */
export interface NewObject {
  readonly collection: string;
  readonly body: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly metadata: {
      readonly name: string;
      readonly labels: Readonly<Record<string, string>>;
      readonly [field: string]: unknown;
    };
    readonly [field: string]: unknown;
  };
}

/** What owns what has no namespace: with it Kubernetes removes the rest. */
export interface NamespaceOwner {
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * What ClusterLoader2 may do inside of its cluster: read what its waits and its pod latencies look at,
 * everywhere, because it watches all namespaces and selects by label; and change Services and
 * Deployments in the namespaces of the run only. With a Prometheus of its own it has to be the
 * administrator, because that stack brings CRDs, ClusterRoles and a StorageClass.
 */
export function jobRbac(
  { run, prometheus }: Pick<Cl2Job, 'run' | 'prometheus'>,
  owner: NamespaceOwner,
): readonly NewObject[] {
  const own = prometheus === 'own';
  return [
    roleObject(READ_ROLE, READ_RULES, owner),
    roleObject(LOAD_ROLE, LOAD_RULES, owner),
    {
      collection: `${RBAC}/clusterrolebindings`,
      body: {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: clusterMetadata(READ_ROLE, owner),
        ...binding(own ? 'cluster-admin' : READ_ROLE),
      },
    },
    ...run.namespaces.map((namespace) => ({
      collection: `${RBAC}/namespaces/${namespace}/rolebindings`,
      body: {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'RoleBinding',
        metadata: { name: LOAD_ROLE, labels: owner.labels },
        ...binding(LOAD_ROLE),
      },
    })),
  ];
}

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const READ_ROLE = 'meshscale-cl2-read';
const LOAD_ROLE = 'meshscale-cl2-load';

/** What has no namespace, for whoever removes it: paths, the binding first. */
export const CLUSTER_SCOPED: readonly string[] = [
  `${RBAC}/clusterrolebindings/${READ_ROLE}`,
  `${RBAC}/clusterroles/${READ_ROLE}`,
  `${RBAC}/clusterroles/${LOAD_ROLE}`,
];

const READ: readonly string[] = ['get', 'list', 'watch'];

const READ_RULES: readonly Rule[] = [
  // It writes the nodes into its log at the start, and looks for the control plane among them.
  { apiGroups: [''], resources: ['nodes'], verbs: READ },
  // It lists all to see whether those of the test are there; that they are made is our part.
  { apiGroups: [''], resources: ['namespaces'], verbs: READ },
  // Waits and startup latencies: by label, in all namespaces. Events tell when a pod was scheduled.
  { apiGroups: [''], resources: ['pods', 'events', 'services'], verbs: READ },
  { apiGroups: ['apps'], resources: ['deployments', 'replicasets'], verbs: READ },
];

const LOAD_RULES: readonly Rule[] = [
  // The bundle of a scenario: a Service and a Deployment; a patch reads first.
  { apiGroups: [''], resources: ['services'], verbs: ['get', 'create', 'patch', 'delete'] },
  { apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'create', 'patch', 'delete'] },
];

function roleObject(name: string, rules: readonly Rule[], owner: NamespaceOwner): NewObject {
  return {
    collection: `${RBAC}/clusterroles`,
    body: {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: clusterMetadata(name, owner),
      rules,
    },
  };
}

/** Owned by the namespace, so that whoever removes that one, removes these as well. */
function clusterMetadata(name: string, { uid, labels }: NamespaceOwner) {
  const owner = { apiVersion: 'v1', kind: 'Namespace', name: JOB_NAMESPACE, uid };
  return { name, labels, ownerReferences: [owner] };
}

function binding(role: string) {
  return {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [{ kind: 'ServiceAccount', name: JOB_ACCOUNT, namespace: JOB_NAMESPACE }],
  };
}
