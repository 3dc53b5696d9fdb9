import { AGENT_RULES, type PolicyRule } from './agent-controller/rbac.js';
import type { KubeObject } from '../workload/kube/kube-client.js';

/** A rule about paths of the API server itself, such as /metrics. */
interface PathRule {
  readonly nonResourceURLs: readonly string[];
  readonly verbs: readonly string[];
}

type Rule = PolicyRule | PathRule;

const READ = ['get', 'list', 'watch'];

/** What KWOK does: keeps nodes and their leases alive, runs and removes pods. */
const KWOK_RULES: readonly Rule[] = [
  { apiGroups: [''], resources: ['nodes', 'pods'], verbs: [...READ, 'patch', 'update', 'delete'] },
  { apiGroups: [''], resources: ['nodes/status', 'pods/status'], verbs: ['patch', 'update'] },
  {
    apiGroups: ['coordination.k8s.io'],
    resources: ['leases'],
    verbs: [...READ, 'create', 'patch', 'update', 'delete'],
  },
  { apiGroups: ['', 'events.k8s.io'], resources: ['events'], verbs: ['create', 'patch', 'update'] },
];

/** What Cilium's chart grants to clustermesh-apiserver, without the writes of external workloads. */
const EXPORTER_RULES: readonly Rule[] = [
  {
    apiGroups: [''],
    resources: ['services', 'namespaces', 'nodes', 'pods', 'endpoints'],
    verbs: READ,
  },
  { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: READ },
  {
    apiGroups: ['cilium.io'],
    resources: [
      'ciliumnodes',
      'ciliumidentities',
      'ciliumendpoints',
      'ciliumendpointslices',
      'ciliumexternalworkloads',
    ],
    verbs: READ,
  },
  { apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs: READ },
];

const PROMETHEUS_RULES: readonly Rule[] = [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }];

/** The roles of the mesh's own users, each bound to the common name of its certificate. */
export function roleObjects(): readonly KubeObject[] {
  return [
    ...grant('meshscale:kwok', KWOK_RULES),
    ...grant('meshscale:clustermesh-apiserver', EXPORTER_RULES),
    ...grant('meshscale:prometheus', PROMETHEUS_RULES),
    ...grant('meshscale:agent-controller', AGENT_RULES),
  ];
}

function grant(user: string, rules: readonly Rule[]): readonly KubeObject[] {
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  return [
    { apiVersion, kind: 'ClusterRole', metadata: { name: user }, rules },
    {
      apiVersion,
      kind: 'ClusterRoleBinding',
      metadata: { name: user },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: user },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
    },
  ];
}
