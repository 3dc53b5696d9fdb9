import { z } from 'zod';
import type { KubeObject } from '../kube/kube-client.js';
import type { Subject } from './subject-holders.js';

/** The stages of a pod, as subjects. The pod itself is its name. */
export const podStage = {
  scheduled: (pod: string) => `${pod} scheduled`,
  address: (pod: string) => `${pod} address`,
  ready: (pod: string) => `${pod} ready`,
} as const;

/** What a pod shows: that it is there, scheduled, has an address, is ready. */
export function readPod(object: KubeObject): readonly Subject[] {
  const { name } = object.metadata;
  const parsed = podShape.safeParse(object);
  const { spec, status } = parsed.success ? parsed.data : {};
  const ready = status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True');
  return [
    { name },
    ...stage(spec?.nodeName, podStage.scheduled(name)),
    ...stage(status?.podIP, podStage.address(name)),
    ...(ready === true ? [{ name: podStage.ready(name) }] : []),
  ];
}

/** What an EndpointSlice shows: its Service, once an endpoint of it is ready. */
export function readSlice(object: KubeObject): readonly Subject[] {
  const name = object.metadata.labels?.[SERVICE_NAME_LABEL];
  const parsed = sliceShape.safeParse(object);
  if (name === undefined || !parsed.success) return [];
  const ready = parsed.data.endpoints?.find((one) => one.conditions?.ready !== false);
  return ready === undefined ? [] : [{ name, detail: ready.addresses[0] }];
}

/** What a CiliumEndpoint shows: its pod, once it has an address. */
export function readCiliumEndpoint(object: KubeObject): readonly Subject[] {
  const parsed = endpointShape.safeParse(object);
  const [first] = parsed.success ? (parsed.data.status?.networking?.addressing ?? []) : [];
  return stage(first?.ipv4 ?? first?.ipv6, object.metadata.name);
}

/** By which an EndpointSlice names its Service. @see k8s.io/api/discovery/v1 */
export const SERVICE_NAME_LABEL = 'kubernetes.io/service-name';

function stage(detail: string | undefined, name: string): readonly Subject[] {
  return detail === undefined || detail === '' ? [] : [{ name, detail }];
}

const podShape = z.object({
  spec: z.object({ nodeName: z.string().optional() }).optional(),
  status: z
    .object({
      podIP: z.string().optional(),
      conditions: z.array(z.object({ type: z.string(), status: z.string() })).optional(),
    })
    .optional(),
});

const sliceShape = z.object({
  endpoints: z
    .array(
      z.object({
        addresses: z.array(z.string()),
        conditions: z.object({ ready: z.boolean().nullish() }).nullish(),
      }),
    )
    .nullish(),
});

const endpointShape = z.object({
  status: z
    .object({
      networking: z
        .object({
          addressing: z
            .array(z.object({ ipv4: z.string().optional(), ipv6: z.string().optional() }))
            .nullish(),
        })
        .nullish(),
    })
    .nullish(),
});
