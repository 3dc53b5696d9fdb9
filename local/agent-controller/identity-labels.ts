/** Everything that decides a pod's security identity. */
export interface IdentitySubject {
  readonly podLabels: Readonly<Record<string, string>>;
  readonly namespace: string;
  readonly namespaceLabels: Readonly<Record<string, string>>;
  /** Empty when the pod has none. */
  readonly serviceAccount: string;
  /** The cluster's Cilium name. */
  readonly clusterName: string;
}

/** Security labels with their source: `k8s:app` → `web`, sorted by key. */
export type SecurityLabels = Readonly<Record<string, string>>;

/**
 * A label set as one string, `k8s:app=web;k8s:io.kubernetes.pod.namespace=shop;`. Two pods have one
 * identity exactly when this is equal; it is also the value that the exporter writes to etcd.
 */
export type LabelSetKey = string;

/**
 * The labels by which Cilium tells identities apart: the pod's own without those that differ from pod
 * to pod, the namespace with its labels, the service account and the cluster.
 *
 * @see SanitizePodLabels in Cilium's pkg/k8s/utils and the default filter in pkg/labelsfilter (1.20.2)
 */
export function securityLabels(subject: IdentitySubject): SecurityLabels {
  const labels = new Map<string, string>();
  for (const [key, value] of Object.entries(subject.podLabels)) {
    // Nobody may claim one of Cilium's own labels for his pod.
    if (!key.startsWith(CILIUM_PREFIX)) labels.set(key, value);
  }
  for (const [key, value] of Object.entries(subject.namespaceLabels)) {
    labels.set(`${NAMESPACE_LABELS}.${key}`, value);
  }
  labels.set(NAMESPACE_NAME, subject.namespace);
  if (subject.serviceAccount !== '') labels.set(SERVICE_ACCOUNT, subject.serviceAccount);
  labels.set(CLUSTER, subject.clusterName);
  return Object.fromEntries(
    [...labels]
      .filter(([key]) => isSecurityRelevant(key))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => [`k8s:${key}`, value]),
  );
}

/** The one string of a label set, whatever the order of its keys. */
export function labelSetKey(labels: SecurityLabels): LabelSetKey {
  return Object.entries(labels)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${value};`)
    .join('');
}

/**
 * The labels that a key stands for. Values of labels hold neither `=` nor `;`, but the key is split at
 * the first `=` all the same.
 */
export function securityLabelsOf(key: LabelSetKey): SecurityLabels {
  return Object.fromEntries(
    key
      .split(';')
      .filter((label) => label !== '')
      .map((label) => [keyPart(label), label.slice(label.indexOf('=') + 1)]),
  );
}

/** The labels as `CiliumEndpoint.status.identity.labels` lists them. */
export function labelList(labels: SecurityLabels): readonly string[] {
  return Object.entries(labels).map(([key, value]) => `${key}=${value}`);
}

/** The label set that such a list stands for. */
export function labelSetKeyOfList(list: readonly string[]): LabelSetKey {
  return [...list]
    .sort((a, b) => (keyPart(a) < keyPart(b) ? -1 : 1))
    .map((label) => `${label};`)
    .join('');
}

/**
 * Cilium's rule for its default list: dropped when a pattern to ignore matches, unless one to include
 * matches over a longer part of the key. Patterns match at the start of the key only.
 */
function isSecurityRelevant(key: string): boolean {
  const known = RELEVANCE.get(key);
  if (known !== undefined) return known;
  const ignored = matchLengths(IGNORED, key);
  const relevant =
    ignored.length === 0 || Math.max(0, ...matchLengths(INCLUDED, key)) > Math.min(...ignored);
  if (RELEVANCE.size < REMEMBERED_KEYS) RELEVANCE.set(key, relevant);
  return relevant;
}

function matchLengths(patterns: readonly RegExp[], key: string): readonly number[] {
  return patterns.flatMap((pattern) => pattern.exec(key)?.[0].length ?? []);
}

function keyPart(label: string): string {
  return label.slice(0, label.indexOf('='));
}

/** Answers so far: a cluster has few keys and many pods, and twenty patterns a label cost more than the rest. */
const RELEVANCE = new Map<string, boolean>();
/** Ours: far more than any cluster has, and a bound for one that makes keys up. */
const REMEMBERED_KEYS = 10_000;

const CILIUM_PREFIX = 'io.cilium.k8s';
const NAMESPACE_LABELS = 'io.cilium.k8s.namespace.labels';
const SERVICE_ACCOUNT = 'io.cilium.k8s.policy.serviceaccount';
const CLUSTER = 'io.cilium.k8s.policy.cluster';
const NAMESPACE_NAME = 'io.kubernetes.pod.namespace';

/** @see defaultLabelPrefixCfg in Cilium's pkg/labelsfilter/filter.go, 1.20.2 */
const INCLUDED = [
  /^io\.kubernetes\.pod\.namespace/,
  /^io\.cilium\.k8s\.namespace\.labels/,
  /^io\.cilium\.k8s\.policy\.cluster/,
  /^io\.cilium\.k8s\.policy\.serviceaccount/,
  /^app\.kubernetes\.io/,
];
/** Same place. `topology.kubernetes.io` came after 1.15: Kubernetes now copies it from node to pod. */
const IGNORED = [
  /^io\.kubernetes/,
  /^kubernetes\.io/,
  /^statefulset\.kubernetes\.io\/pod-name/,
  /^apps\.kubernetes\.io\/pod-index/,
  /^batch\.kubernetes\.io\/job-completion-index/,
  /^batch\.kubernetes\.io\/controller-uid/,
  /^topology\.kubernetes\.io/,
  /^.*beta\.kubernetes\.io/,
  /^k8s\.io/,
  /^pod-template-generation/,
  /^pod-template-hash/,
  /^controller-revision-hash/,
  /^controller-uid/,
  /^annotation.*/,
  /^etcd_node/,
];
