import { z } from 'zod';
import { durationCodec } from './duration-codec.js';
import { strictObject } from './strict-object.js';

const count = z.int().min(0);
const ratio = z.number().min(0).max(1);
const text = z.string().min(1);
const annotations = z.record(z.string(), z.string());
const resources = strictObject({ cpu: text, memory: text });

/** Names inside a scenario: `warm-up`. */
export const kebabName = z.string().regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, {
  error: 'a name in small letters and dashes, such as warm-up',
});

/** What a scenario needs of its target; `clusters>=N` counts. */
export const scenarioNeed = z.string().regex(/^(datapath|azure|nodes|fleet|clusters>=[1-9]\d*)$/, {
  error: 'one of datapath, azure, nodes, fleet, clusters>=N',
});

/** `namespaces × deployments × replicas` pods, and one Service for each Deployment. */
export const workloadShape = strictObject({
  kind: z.literal('workload'),
  namespaces: count,
  /** The first so many namespaces are annotated as global; Cilium ≥ 1.19 exports nothing of others. */
  globalNamespaces: count,
  deploymentsPerNamespace: count,
  replicasPerDeployment: count,
  /** Put on the global namespaces. */
  namespaceAnnotations: annotations,
  service: strictObject({ type: z.enum(['headless', 'cluster-ip']), port: z.int(), annotations }),
  pod: strictObject({ image: text, requests: resources, limits: resources }),
});

/** What the engine does with the workload while a phase lasts. */
const action = z.discriminatedUnion('kind', [
  strictObject({ kind: z.literal('create') }),
  /** Rolling restart of every Deployment, so many times one after the other. */
  strictObject({ kind: z.literal('restart'), times: count }),
  strictObject({ kind: z.literal('scale'), replicas: count }),
  strictObject({ kind: z.literal('delete') }),
  strictObject({ kind: z.literal('none') }),
]);

/**
 * A phase ends when its action is done (objects written, pods as wanted), its duration is over and
 * the probes that started in it have their answer.
 */
export const phaseShape = strictObject({
  name: kebabName,
  kind: z.enum(['load', 'warm-up', 'burst', 'hold', 'settle', 'delete']),
  /** `barrier`: no cluster starts it before every cluster is there. */
  sync: z.enum(['barrier', 'free']),
  action,
  /** Deployments written per second and cluster, open loop. @default - as fast as the API server takes them */
  rate: z.number().positive().optional(),
  /** The least time that the phase lasts. @default - until its action and its probes are done */
  duration: durationCodec.optional(),
  /** The most time that the action may take. @default - what is left of the scenario's budget */
  timeout: durationCodec.optional(),
});

/** A disturbance that the runner injects while the phase `at` lasts. */
export const faultShape = strictObject({
  kind: kebabName,
  target: text,
  at: z.string(),
  duration: durationCodec.optional(),
});

/** A series of probes that starts with the phase `at`. */
export const probeShape = strictObject({
  id: kebabName,
  /** `propagation`: a pod behind a global Service is created and removed while every peer watches. */
  kind: z.enum(['propagation']),
  /** What the peers watch for: the address of the pod, the backend of its Service, or both. */
  observe: z.array(z.enum(['endpoint-address', 'service-backend'])).min(1),
  at: z.string(),
  count,
  interval: durationCodec,
  /** How long one is waited for; not seen by then is a value with a reason. */
  budget: durationCodec,
});

/** A measurement of the catalogue over the window of `phase` … `through`. */
export const measurementShape = strictObject({
  /** An id of `measurements/*.yaml`. */
  id: z.string(),
  phase: z.string(),
  /** The last phase of the window, for what one phase sets off and a later one shows. @default phase */
  through: z.string().optional(),
  /** Prometheus series that each cluster must have for it. */
  expected: strictObject({ series: count }),
});

/** A rule of the verdict. A broken `stimulus`, `replaced` or `coverage` makes a run invalid, another fails it. */
export const ruleShape = z.discriminatedUnion('rule', [
  /** Achieved rate ÷ asked rate of a phase. */
  strictObject({ rule: z.literal('stimulus'), phase: z.string(), atLeast: ratio }),
  /** Every pod of before the phase is gone, and as many new ones run. */
  strictObject({ rule: z.literal('replaced'), phase: z.string() }),
  /** Present values ÷ expected values. */
  strictObject({ rule: z.literal('coverage'), atLeast: ratio }),
  /** Probe × peer observations that were seen within their budget ÷ all. */
  strictObject({ rule: z.literal('seen'), probe: z.string(), atLeast: ratio }),
  /** A quantile of the propagation times over probes × directed pairs. */
  strictObject({
    rule: z.literal('propagation'),
    probe: z.string(),
    quantile: ratio,
    atMost: durationCodec,
  }),
  /** A value of the catalogue, in every cluster. */
  strictObject({
    rule: z.literal('value'),
    measurement: z.string(),
    query: z.string(),
    atMost: z.number().optional(),
    atLeast: z.number().optional(),
  }),
]);
