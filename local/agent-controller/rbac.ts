/** One rule of a ClusterRole. */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** The least that the controller needs: it follows what Kubernetes has and writes three kinds. */
export const AGENT_RULES: readonly PolicyRule[] = [
  { apiGroups: [''], resources: ['nodes', 'namespaces', 'pods'], verbs: ['list', 'watch'] },
  {
    apiGroups: ['cilium.io'],
    resources: ['ciliumnodes', 'ciliumidentities', 'ciliumendpoints'],
    verbs: ['get', 'list', 'create', 'patch', 'delete'],
  },
];
