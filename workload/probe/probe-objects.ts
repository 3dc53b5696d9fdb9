import { OBJECT_CONVENTIONS } from '../../model/object-conventions.js';
import type { KubeClient } from '../kube/kube-client.js';
import { SERVICE_NAME_LABEL } from './kube-subjects.js';

/** How the objects of a series are named and labelled. */
export interface ObjectStyle {
  readonly namespace: string;
  readonly id: string;
  /** The run's labels, on every object. */
  readonly labels: Readonly<Record<string, string>>;
}

/** An object to make: where and what. */
export interface ProbeObject {
  readonly collection: string;
  readonly name: string;
  readonly body: unknown;
}

/** Selects the objects of one series. */
export function seriesSelector({ id }: ObjectStyle): string {
  return `${SERIES_LABEL}=${id}`;
}

/** How the names of a series' objects begin: nothing else in the namespace begins so. */
export function namePrefix({ id }: ObjectStyle): string {
  return `probe-${id}-`;
}

/**
 * A pod that costs next to nothing. All pods of a series have one security identity: the only label
 * that differs is one that Cilium leaves out of identities, so no probe waits for an identity of its
 * own, as no pod of a Deployment does.
 */
export function probePod(style: ObjectStyle, name: string): ProbeObject {
  return {
    collection: `/api/v1/namespaces/${style.namespace}/pods`,
    name,
    body: {
      metadata: { name, labels: { ...seriesLabels(style), [POD_NAME_LABEL]: name } },
      spec: {
        // A pod that has to start anew would be another change.
        restartPolicy: 'Never',
        // The least that is not a forced deletion; pause ends at once.
        terminationGracePeriodSeconds: 1,
        automountServiceAccountToken: false,
        containers: [{ name: 'pause', image: PAUSE_IMAGE, resources: RESOURCES }],
      },
    },
  };
}

/**
 * A global Service for one pod, or without a selector for an EndpointSlice that we write. It has a
 * cluster address: Cilium exports no headless ones (its exporter leaves out their EndpointSlices).
 */
export function probeService(style: ObjectStyle, name: string, selects: 'pod' | 'nothing') {
  const labels = seriesLabels(style);
  const selector = selects === 'pod' ? { selector: { [POD_NAME_LABEL]: name } } : {};
  return {
    collection: `/api/v1/namespaces/${style.namespace}/services`,
    name,
    body: { metadata: { name, labels, annotations: GLOBAL }, spec: { ...selector, ports: PORTS } },
  } satisfies ProbeObject;
}

/** An EndpointSlice with one ready endpoint, at an address that no machine has. */
export function probeSlice(style: ObjectStyle, name: string, index: number): ProbeObject {
  const labels = {
    ...seriesLabels(style),
    [SERVICE_NAME_LABEL]: name,
    'endpointslice.kubernetes.io/managed-by': OBJECT_CONVENTIONS.managedByValue,
  };
  const address = `198.18.${Math.floor(index / 250) % 250}.${1 + (index % 250)}`;
  return {
    collection: `/apis/discovery.k8s.io/v1/namespaces/${style.namespace}/endpointslices`,
    name,
    body: {
      metadata: { name, labels },
      addressType: 'IPv4',
      endpoints: [{ addresses: [address], conditions: { ready: true } }],
      ports: [{ name: '', ...PORTS[0] }],
    },
  };
}

/** Removes what is left of a series in one cluster; gives what could not be removed. */
export async function sweep(
  kube: KubeClient,
  style: ObjectStyle,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const collections = [
    `/api/v1/namespaces/${style.namespace}/pods`,
    `/apis/discovery.k8s.io/v1/namespaces/${style.namespace}/endpointslices`,
    `/api/v1/namespaces/${style.namespace}/services`,
  ];
  const query = `?labelSelector=${encodeURIComponent(seriesSelector(style))}`;
  const answers = await Promise.all(
    collections.map(async (collection) => {
      const answer = await kube.request('DELETE', `${collection}${query}`, undefined, { signal });
      return answer.ok || answer.status === 404 ? [] : [`${collection}: ${answer.message}`];
    }),
  );
  return answers.flat();
}

function seriesLabels({ id, labels }: ObjectStyle): Readonly<Record<string, string>> {
  return { ...labels, [SERIES_LABEL]: id };
}

const SERIES_LABEL = 'meshscale/probe';

/** Of StatefulSets; ignored for identities. @see the default filter in Cilium's pkg/labelsfilter */
const POD_NAME_LABEL = 'statefulset.kubernetes.io/pod-name';

/** Cilium ≥ 1.13 and before. @see data/scenarios.md §1 */
const GLOBAL = { 'service.cilium.io/global': 'true', 'io.cilium/global-service': 'true' } as const;

/** As every pod of the scenarios. @see data/scenarios.md §1 */
const PAUSE_IMAGE = 'mcr.microsoft.com/oss/kubernetes/pause:3.6';
const RESOURCES = {
  requests: { cpu: '1m', memory: '5Mi' },
  limits: { cpu: '5m', memory: '20Mi' },
} as const;
const PORTS = [{ port: 80, protocol: 'TCP' }] as const;
