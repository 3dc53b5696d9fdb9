import { z } from 'zod';
import type { Milliseconds } from '../../model/quantity.js';
import type { KubeClient } from '../kube/kube-client.js';

/** One log that can be asked for. */
export interface LoggedContainer {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  /** Of the container before its last restart. */
  readonly previous: boolean;
}

/**
 * The containers of the mesh's own pods, those in trouble first: at a failure they have to be among
 * what is fetched, however many nodes a cluster has.
 */
export async function loggedPods(
  client: KubeClient,
  signal: AbortSignal,
  remark: (text: string) => void,
): Promise<readonly LoggedContainer[]> {
  const pods = await Promise.all(
    SELECTORS.map(async ({ what, selector }) => {
      const query = `labelSelector=${encodeURIComponent(selector)}`;
      const answer = await client.request('GET', `/api/v1/pods?${query}`, undefined, {
        ...{ signal, timeout: LIST_TIMEOUT },
      });
      if (!answer.ok) {
        remark(`pods of ${what} cannot be listed: ${answer.status} ${answer.message}`);
        return [];
      }
      return podListSchema.parse(answer.body).items;
    }),
  );
  return pods
    .flat()
    .sort((a, b) => trouble(b) - trouble(a))
    .flatMap(containersOf);
}

type Pod = z.infer<typeof podSchema>;

/** Restarts, and more for one that is not ready now. */
function trouble({ status }: Pod): number {
  const all = [...status.initContainerStatuses, ...status.containerStatuses];
  const restarts = all.reduce((sum, { restartCount }) => sum + restartCount, 0);
  return restarts + (status.containerStatuses.every(({ ready }) => ready) ? 0 : NOT_READY);
}

function containersOf({ metadata, status }: Pod): readonly LoggedContainer[] {
  const { name: pod, namespace } = metadata;
  const all = [...status.containerStatuses, ...status.initContainerStatuses];
  return all.flatMap(({ name: container, restartCount }) => {
    const place = { namespace, pod, container };
    const current = { ...place, previous: false };
    return restartCount > 0 ? [{ ...place, previous: true }, current] : [current];
  });
}

const containerStatus = z.object({
  name: z.string(),
  restartCount: z.number().default(0),
  ready: z.boolean().default(false),
});
const podSchema = z.object({
  metadata: z.object({ name: z.string(), namespace: z.string().default('default') }),
  status: z
    .object({
      containerStatuses: z.array(containerStatus).default([]),
      initContainerStatuses: z.array(containerStatus).default([]),
    })
    .default({ containerStatuses: [], initContainerStatuses: [] }),
});
const podListSchema = z.object({ items: z.array(podSchema) });

/** The labels of Cilium's chart, of Azure's packaging as well. */
const SELECTORS = [
  { what: 'clustermesh-apiserver', selector: 'k8s-app=clustermesh-apiserver' },
  { what: 'cilium-operator', selector: 'io.cilium/app=operator' },
  { what: 'cilium-agent', selector: 'k8s-app=cilium' },
] as const;
/** Ours: one that needs longer is the failure itself, and has no logs to give. */
const LIST_TIMEOUT: Milliseconds = 10_000;
/** More than any number of restarts. */
const NOT_READY = 1_000_000;
