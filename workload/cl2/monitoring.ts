import type { Milliseconds } from '../../model/quantity.js';
import type { KubeClient } from '../kube/kube-client.js';
import type { ActionFailure } from '../native/cluster-engine.js';
import { writeObject } from '../native/write-object.js';
import type { Clock } from '../platform/clock.js';
import { waitFor } from '../platform/wait.js';

/** The one cluster whose monitoring stack is meant. */
export interface MonitoringSetting {
  readonly client: KubeClient;
  readonly clock: Clock;
}

/**
 * Refuses a cluster that has the namespace of ClusterLoader2's stack already: what stands there is
 * never updated by it, is removed at the end of a run, and may be somebody's.
 * @see data/clusterloader2.md §5, trap 3
 */
export async function monitoringTaken(
  { client }: MonitoringSetting,
  signal: AbortSignal,
): Promise<ActionFailure | undefined> {
  const answer = await client.request('GET', NAMESPACE, undefined, { signal });
  if (!answer.ok) return undefined;
  return {
    cause: 'infrastructure',
    code: 'monitoring-taken',
    text: 'the namespace monitoring is there already, where ClusterLoader2 would put its Prometheus',
    next: 'name your Prometheus in the inventory and leave --prometheus own out, or remove the namespace',
  };
}

/**
 * Makes that namespace with the labels of the run before ClusterLoader2 does, which takes one that is
 * there: so the stack of a run that was killed is found by its labels and removed with all else.
 */
export async function claimMonitoring(
  { client, clock }: MonitoringSetting,
  labels: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<ActionFailure | undefined> {
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'monitoring', labels } };
  const made = await writeObject({ clock, signal }, () =>
    client.request('POST', '/api/v1/namespaces', body, { signal }),
  );
  if (made.ok) return undefined;
  return {
    cause: 'infrastructure',
    code: 'monitoring-taken',
    text: `the namespace monitoring could not be made: ${made.text}`,
    next: 'meshscale preflight says what is wrong with this cluster',
  };
}

/** Removes what a run left there and waits until it is gone; what is still left is told. */
export async function removeMonitoring(
  { client, clock }: MonitoringSetting,
  signal: AbortSignal,
): Promise<string | undefined> {
  const removed = await client.request('DELETE', NAMESPACE, undefined, { signal });
  if (!removed.ok && removed.status === 404) return undefined;
  const result = await waitFor({ clock, budget: BUDGET, period: PERIOD, signal }, async () => {
    const answer = await client.request('GET', NAMESPACE, undefined, { signal });
    return !answer.ok && answer.status === 404
      ? { state: 'ready', value: undefined }
      : { state: 'waiting', missing: ['the namespace monitoring is still there'] };
  });
  return result.state === 'ready' ? undefined : result.missing.join('; ');
}

const NAMESPACE = '/api/v1/namespaces/monitoring';
/** @see data/failure-signatures.md §3, prom-setup */
const BUDGET: Milliseconds = 180_000;
const PERIOD: Milliseconds = 2_000;
