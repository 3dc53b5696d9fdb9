import type { KubeObject } from '../kube/kube-client.js';

/** What the engine keeps of a pod. */
export interface SeenPod {
  readonly uid: string;
  readonly scheduled: boolean;
  readonly running: boolean;
  readonly ready: boolean;
  readonly deleting: boolean;
  /** Owned by a StatefulSet. */
  readonly stateful: boolean;
}

/** What the engine keeps of a Deployment. */
export interface SeenDeployment {
  readonly generation: number;
  readonly observedGeneration: number;
  readonly wanted: number;
  readonly replicas: number;
  readonly updated: number;
  readonly ready: number;
}

/** The few fields of a pod that a wait or a latency needs; the parsing border of pods. */
export function seenPod({ metadata, spec, status }: KubeObject): SeenPod {
  const { nodeName } = record(spec);
  const { phase, conditions } = record(status);
  const isTrue = (type: string): boolean =>
    list(conditions).some(
      (one) => record(one)['type'] === type && record(one)['status'] === 'True',
    );
  return {
    uid: metadata.uid ?? '',
    scheduled: typeof nodeName === 'string' && nodeName !== '',
    running: phase === 'Running',
    ready: isTrue('Ready'),
    deleting: metadata.deletionTimestamp !== undefined,
    stateful: (metadata.ownerReferences ?? []).some(({ kind }) => kind === 'StatefulSet'),
  };
}

/** The few fields of a Deployment that a wait needs; the parsing border of Deployments. */
export function seenDeployment({ metadata, spec, status }: KubeObject): SeenDeployment {
  const state = record(status);
  const generation = number(record(metadata)['generation']);
  return {
    generation,
    observedGeneration: number(state['observedGeneration']),
    wanted: number(record(spec)['replicas']),
    replicas: number(state['replicas']),
    updated: number(state['updatedReplicas']),
    ready: number(state['readyReplicas']),
  };
}

/** True when all of a Deployment's pods are of its newest template and ready, and there is no other. */
export function isRolledOut(deployment: SeenDeployment): boolean {
  const { generation, observedGeneration, wanted, replicas, updated, ready } = deployment;
  return (
    observedGeneration >= generation &&
    replicas === wanted &&
    updated === wanted &&
    ready === wanted
  );
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function number(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
