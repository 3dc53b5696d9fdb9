import { z } from 'zod';
import { ENGINE_CONTAINER, HELPER_CONTAINER } from './job-settings.js';

/** What the API server shows of the pod of a Job. */
export type PodView =
  /** Nothing has been made yet, or it was removed. */
  | { readonly state: 'absent' }
  /** `scheduling`: no node; `pulling`: an image does not come; `starting`: all the rest. */
  | {
      readonly state: 'waiting';
      readonly for: 'scheduling' | 'pulling' | 'starting';
      readonly text: string;
      /** No second try can come out otherwise. */
      readonly final: boolean;
    }
  | { readonly state: 'running'; readonly pod: string }
  /** ClusterLoader2 has ended; the results are kept as long as the other container runs. */
  | {
      readonly state: 'ended';
      readonly pod: string;
      readonly code: number;
      readonly outOfMemory: boolean;
    }
  | { readonly state: 'evicted'; readonly text: string }
  | { readonly state: 'no-helper'; readonly text: string };

/** Reads the newest pod of a list; the parsing border of pods. */
export function viewPod(list: unknown): PodView {
  const { items } = podListSchema.parse(list);
  const [pod] = [...items].sort((a, b) =>
    b.metadata.creationTimestamp.localeCompare(a.metadata.creationTimestamp),
  );
  if (pod === undefined) return { state: 'absent' };
  const evicted = evictionOf(pod);
  if (evicted !== undefined) return { state: 'evicted', text: evicted };
  const engine = stateOf(pod, ENGINE_CONTAINER);
  const helper = stateOf(pod, HELPER_CONTAINER);
  const broken = brokenHelper(helper);
  if (engine?.terminated !== undefined && !STARTERS.has(engine.terminated.reason)) {
    const { exitCode: code, reason } = engine.terminated;
    // A pod whose end was to help its node has been told above: this is the end of the engine alone.
    return { state: 'ended', pod: pod.metadata.name, code, outOfMemory: reason === 'OOMKilled' };
  }
  if (engine?.terminated !== undefined) {
    return waiting('starting', textOf(engine.terminated), true);
  }
  if (broken !== undefined) return { state: 'no-helper', text: broken };
  if (engine?.running !== undefined) return { state: 'running', pod: pod.metadata.name };
  return whyWaiting(pod, [engine?.waiting, helper?.waiting]);
}

type Pod = z.infer<typeof podSchema>;
type Waiting = { readonly reason: string; readonly message: string } | undefined;

/** Evicted by the kubelet, preempted, drained, or taken with its node. */
function evictionOf({ status }: Pod): string | undefined {
  if (status.reason === 'Evicted') return textOf(status);
  const disrupted = status.conditions.find(
    ({ type, status: value }) => type === 'DisruptionTarget' && value === 'True',
  );
  return disrupted === undefined ? undefined : textOf(disrupted);
}

function stateOf({ status }: Pod, container: string) {
  return status.containerStatuses.find(({ name }) => name === container)?.state;
}

function brokenHelper(helper: ReturnType<typeof stateOf>): string | undefined {
  if (helper?.terminated !== undefined) {
    return `ended with ${helper.terminated.exitCode}: ${textOf(helper.terminated)}`;
  }
  const { waiting: why } = helper ?? {};
  return why !== undefined && NO_START.has(why.reason) ? textOf(why) : undefined;
}

function whyWaiting({ status, spec }: Pod, containers: readonly Waiting[]): PodView {
  const unscheduled = status.conditions.find(
    ({ type, status: value }) => type === 'PodScheduled' && value === 'False',
  );
  if (unscheduled !== undefined) return waiting('scheduling', textOf(unscheduled), false);
  if (spec.nodeName === undefined) return waiting('scheduling', 'no node was chosen yet', false);
  const all = containers.filter((one) => one !== undefined);
  const pull = all.find(({ reason }) => PULLS.has(reason));
  if (pull !== undefined) {
    return waiting('pulling', textOf(pull), pull.reason === 'InvalidImageName');
  }
  const stuck = all.find(({ reason }) => NO_START.has(reason)) ?? all[0];
  return waiting('starting', stuck === undefined ? 'its node has not begun' : textOf(stuck), false);
}

function waiting(
  why: 'scheduling' | 'pulling' | 'starting',
  text: string,
  final: boolean,
): PodView {
  return { state: 'waiting', for: why, text, final };
}

function textOf({
  reason,
  message,
}: {
  readonly reason: string;
  readonly message: string;
}): string {
  return [reason, message]
    .filter((part) => part !== '')
    .join(': ')
    .slice(0, LONGEST);
}

const text = z.string().default('');
const reasoned = { reason: text, message: text };
const podSchema = z.object({
  metadata: z.object({ name: z.string(), creationTimestamp: text }),
  spec: z.object({ nodeName: z.string().optional() }),
  status: z
    .object({
      ...reasoned,
      conditions: z
        .array(z.object({ type: z.string(), status: z.string(), ...reasoned }))
        .default([]),
      containerStatuses: z
        .array(
          z.object({
            name: z.string(),
            state: z
              .object({
                waiting: z.object(reasoned).optional(),
                running: z.object({}).optional(),
                terminated: z.object({ exitCode: z.number(), ...reasoned }).optional(),
              })
              .default({}),
          }),
        )
        .default([]),
    })
    .default({ reason: '', message: '', conditions: [], containerStatuses: [] }),
});
const podListSchema = z.object({ items: z.array(podSchema) });

const PULLS: ReadonlySet<string> = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'ImageInspectError',
  'RegistryUnavailable',
  'SignatureValidationFailed',
]);
/** @see k8s.io/kubernetes pkg/kubelet/kuberuntime and pkg/kubelet/images */
const NO_START: ReadonlySet<string> = new Set([
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
  'StartError',
]);
/** Ends that are no end of the program: it never began. */
const STARTERS: ReadonlySet<string> = new Set(['StartError', 'ContainerCannotRun']);
const LONGEST = 500;
