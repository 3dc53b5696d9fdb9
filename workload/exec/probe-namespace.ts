import type { KubeClient } from '../kube/kube-client.js';
import { writeObject, type WriteBounds, type WriteResult } from '../native/write-object.js';

/** Makes the namespace that probes live in; one that is there already is as good. */
export function makeProbeNamespace(
  kube: KubeClient,
  metadata: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
  },
  bounds: WriteBounds,
): Promise<WriteResult> {
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata };
  const { signal } = bounds;
  return writeObject(
    bounds,
    () => kube.request('POST', '/api/v1/namespaces', body, { signal }),
    ({ status }) => status === 409,
  );
}
