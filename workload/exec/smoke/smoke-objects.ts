import { OBJECT_CONVENTIONS, scenarioNamespace } from '../../../model/object-conventions.js';

/** Where everything of a smoke test stands. */
export const SMOKE_NAMESPACE = scenarioNamespace('smoke', 1);

/** By these `cleanup` finds it. */
export function smokeLabels(runId: string): Readonly<Record<string, string>> {
  const { managedByLabel, managedByValue, runLabel } = OBJECT_CONVENTIONS;
  return { [managedByLabel]: managedByValue, [runLabel]: runId };
}

/** Its namespace, global where Cilium asks for that. */
export function smokeNamespace(runId: string): object {
  const annotations = { 'clustermesh.cilium.io/global': 'true' };
  const metadata = { name: SMOKE_NAMESPACE, labels: smokeLabels(runId), annotations };
  return { apiVersion: 'v1', kind: 'Namespace', metadata };
}

/**
 * The one pod of a cluster: it answers with its own name, which tells the cluster, and asks others when
 * it is told to (`/dial`). It stays away from mock nodes.
 */
export function smokePod(role: string, runId: string, image: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: podOf(role), labels: { ...smokeLabels(runId), [WHOSE]: role } },
    spec: {
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 0,
      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: REAL_NODES } },
      containers: [
        {
          name: 'answer',
          image,
          args: ['netexec', `--http-port=${PORT}`],
          ports: [{ containerPort: PORT }],
          resources: { requests: { cpu: '10m', memory: '32Mi' }, limits: { memory: '64Mi' } },
        },
      ],
    },
  };
}

/** Stands in every cluster under one name; only `source` has a pod behind it. */
export function smokeService(source: string, runId: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: serviceOf(source),
      labels: smokeLabels(runId),
      annotations: { 'service.cilium.io/global': 'true', 'io.cilium/global-service': 'true' },
    },
    spec: { selector: { [WHOSE]: source }, ports: [{ port: 80, targetPort: PORT }] },
  };
}

/** The pod in `reader` asks the Service of `source`, by way of the API server of `reader`. */
export function dialPath({ source, reader }: { source: string; reader: string }): string {
  const query = new URLSearchParams({
    host: `${serviceOf(source)}.${SMOKE_NAMESPACE}`,
    port: '80',
    request: 'hostname',
    protocol: 'http',
    tries: '1',
  });
  const pod = `/api/v1/namespaces/${SMOKE_NAMESPACE}/pods/${podOf(reader)}:${PORT}`;
  return `${pod}/proxy/dial?${query.toString()}`;
}

/** The pod of a cluster, which is also what it answers. */
export function podOf(role: string): string {
  return `answers-${role}`;
}

function serviceOf(role: string): string {
  return `smoke-${role}`;
}

const WHOSE = 'meshscale/smoke';
const PORT = 8_080;
/** KWOK labels its nodes so. */
const REAL_NODES = {
  nodeSelectorTerms: [{ matchExpressions: [{ key: 'type', operator: 'NotIn', values: ['kwok'] }] }],
};
