import type { ReflectorEvent } from '../kube/reflector-store.js';
import { isRolledOut, type SeenDeployment, type SeenPod } from './seen-objects.js';

/** What a cluster is to come to. */
export interface WantedState {
  /** Deployments, each with a generation that must at least be rolled out. */
  readonly deployments: ReadonlyMap<string, number>;
  /** Pods that run, and not one other. */
  readonly pods: number;
  /**
   * UIDs of pods that must be gone. The watch of Deployments may be ahead of that of pods, and counts
   * alone would take the old pods for the new ones. @default - none
   */
  readonly gone?: ReadonlySet<string> | undefined;
}

/** The workload of one cluster as its watches have shown it; every change costs the same. */
export interface WorkloadState {
  readonly seePod: (event: ReflectorEvent<SeenPod>) => void;
  readonly seeDeployment: (event: ReflectorEvent<SeenDeployment>) => void;
  /** True once everything is as wanted. */
  isAt(wanted: WantedState): boolean;
  /** What is not yet as wanted, for people. */
  missing(wanted: WantedState): readonly string[];
  /** UIDs of the pods that run and are not about to go. */
  readonly runningPods: () => ReadonlySet<string>;
  readonly hasPod: (uid: string) => boolean;
}

/** A state in which nothing has been seen yet. */
export function createWorkloadState(): WorkloadState {
  const pods = createPodCounts();
  const deployments = new Map<string, SeenDeployment>();
  const notRolledOut = new Set<string>();
  const seeDeployment = ({ type, key, object }: ReflectorEvent<SeenDeployment>): void => {
    notRolledOut.delete(key);
    if (type === 'deleted') {
      deployments.delete(key);
      return;
    }
    deployments.set(key, object);
    if (!isRolledOut(object)) notRolledOut.add(key);
  };
  return {
    seePod: pods.see,
    seeDeployment,
    isAt: (wanted) =>
      // The cheap counts first: the last line looks at every Deployment.
      pods.running() === wanted.pods &&
      pods.there() === wanted.pods &&
      notRolledOut.size === 0 &&
      deployments.size === wanted.deployments.size &&
      behind(deployments, wanted).length === 0 &&
      ![...(wanted.gone ?? [])].some(pods.has),
    missing: (wanted) => [
      ...podTexts(pods.running(), pods.there(), wanted.pods),
      ...shortList(behind(deployments, wanted)),
    ],
    runningPods: pods.runningUids,
    hasPod: pods.has,
  };
}

interface PodCounts {
  readonly see: (event: ReflectorEvent<SeenPod>) => void;
  readonly running: () => number;
  readonly there: () => number;
  readonly runningUids: () => ReadonlySet<string>;
  readonly has: (uid: string) => boolean;
}

function createPodCounts(): PodCounts {
  const pods = new Map<string, SeenPod>();
  const uids = new Set<string>();
  let running = 0;
  const isRunning = (pod: SeenPod | undefined): boolean =>
    pod !== undefined && pod.running && pod.ready && !pod.deleting;
  return {
    see: ({ type, key, object }) => {
      const before = pods.get(key);
      if (isRunning(before)) running -= 1;
      if (before !== undefined) uids.delete(before.uid);
      pods.delete(key);
      if (type === 'deleted') return;
      pods.set(key, object);
      uids.add(object.uid);
      if (isRunning(object)) running += 1;
    },
    running: () => running,
    there: () => pods.size,
    runningUids: () =>
      new Set([...pods.values()].filter((pod) => isRunning(pod)).map(({ uid }) => uid)),
    has: (uid) => uids.has(uid),
  };
}

/** Deployments that are not yet as wanted, each with what it is at. */
function behind(
  deployments: ReadonlyMap<string, SeenDeployment>,
  wanted: WantedState,
): readonly string[] {
  return [...wanted.deployments].flatMap(([key, generation]) => {
    const known = deployments.get(key);
    if (known === undefined) return [`${key} is not there`];
    if (known.observedGeneration < generation) return [`${key} has not been taken up`];
    return isRolledOut(known) ? [] : [deploymentText(key, known)];
  });
}

function deploymentText(key: string, { wanted, updated, ready, replicas }: SeenDeployment): string {
  return `${key}: ${updated} of ${wanted} updated, ${ready} ready, ${replicas} there`;
}

function podTexts(running: number, there: number, wanted: number): readonly string[] {
  if (running === wanted && there === wanted) return [];
  const others = there - running;
  const text = `${running} of ${wanted} pods run`;
  if (others <= 0) return [text];
  const ending = `${others} that should be gone ${others === 1 ? 'is' : 'are'} still there`;
  return [`${text}, ${running >= wanted ? ending : `${others} more do not yet, or are ending`}`];
}

/** Enough to see what is wrong. */
function shortList(texts: readonly string[]): readonly string[] {
  const more = texts.length - SHOWN;
  return more > 0 ? [...texts.slice(0, SHOWN), `and ${more} more`] : texts;
}

const SHOWN = 3;
