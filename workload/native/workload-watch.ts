import type { Milliseconds } from '../../model/quantity.js';
import type { KubeClient } from '../kube/kube-client.js';
import { startReflector, type Reflector } from '../kube/reflector.js';
import { millisecondsBetween, type Clock } from '../platform/clock.js';
import { createPodStartups, type PodStartups } from './pod-startup.js';
import { seenDeployment, seenPod, type SeenDeployment, type SeenPod } from './seen-objects.js';
import { createWorkloadState, type WantedState, type WorkloadState } from './workload-state.js';

/** What is watched. */
export interface WorkloadWatchOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** Label selector of the run's own workload. */
  readonly selector: string;
  /** Ends the watches. */
  readonly signal: AbortSignal;
}

/** How a wait ended. */
export type Awaited =
  | { readonly state: 'ready'; readonly elapsed: Milliseconds }
  | { readonly state: 'timed-out'; readonly missing: readonly string[] };

/** The pods and Deployments of a run in one cluster, kept in step by watches. */
export interface WorkloadWatch {
  readonly state: WorkloadState;
  readonly startups: PodStartups;
  /** Resolves when both watches are open: from here on no change is missed. */
  readonly open: Promise<void>;
  /** Waits for changes, never looks by itself; rejects when the signal aborts. */
  waitFor(wanted: WantedState, budget: Milliseconds, signal: AbortSignal): Promise<Awaited>;
  /** Watches that were lost, and lists that had to be made anew. */
  counts(): { readonly relists: number; readonly losses: number };
}

/** Opens the watches. */
export function watchWorkload(options: WorkloadWatchOptions): WorkloadWatch {
  const { clock } = options;
  const state = createWorkloadState();
  const startups = createPodStartups();
  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  const pods = watchPods(options, state, startups, changed);
  const deployments: Reflector<SeenDeployment> = startReflector({
    ...shared(options, '/apis/apps/v1/deployments'),
    keep: seenDeployment,
    onEvent: (event) => {
      state.seeDeployment(event);
      changed();
    },
  });
  const open = bothOpen(pods, deployments);
  // An engine may end before anybody has waited for it.
  open.catch(() => undefined);
  return {
    state,
    startups,
    open,
    waitFor: (wanted, budget, signal) =>
      awaitState({ state, wanted, budget, clock, signal, listeners }),
    counts: () => {
      const [one, other] = [pods.counts(), deployments.counts()];
      return { relists: one.relists + other.relists, losses: one.losses + other.losses };
    },
  };
}

function watchPods(
  options: WorkloadWatchOptions,
  state: WorkloadState,
  startups: PodStartups,
  changed: () => void,
): Reflector<SeenPod> {
  const { clock } = options;
  const start = clock.monoNs();
  // Read when bytes come: parsing a burst of events takes time that is not the cluster's.
  let bytesAt: Milliseconds = 0;
  return startReflector({
    ...shared(options, '/api/v1/pods'),
    keep: seenPod,
    onBytes: () => {
      bytesAt = millisecondsBetween(start, clock.monoNs());
    },
    onEvent: (event) => {
      state.seePod(event);
      startups.see(event, bytesAt);
      changed();
    },
  });
}

function shared({ client, clock, selector, signal }: WorkloadWatchOptions, path: string) {
  return { client, clock, signal, path, query: { labelSelector: selector } };
}

async function bothOpen(
  pods: Reflector<SeenPod>,
  deployments: Reflector<SeenDeployment>,
): Promise<void> {
  // A defect in a callback ends a reflector; it must be heard before the wait runs out.
  const ended = Promise.all([pods.ended, deployments.ended]);
  ended.catch(() => undefined);
  await Promise.all([pods.watching, deployments.watching]);
}

interface Wait {
  readonly state: WorkloadState;
  readonly wanted: WantedState;
  readonly budget: Milliseconds;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly listeners: Set<() => void>;
}

async function awaitState(wait: Wait): Promise<Awaited> {
  const { state, wanted, budget, clock, signal, listeners } = wait;
  signal.throwIfAborted();
  const start = clock.monoNs();
  const over = new AbortController();
  const ready = new Promise<'ready'>((resolve) => {
    const look = (): void => {
      if (state.isAt(wanted)) resolve('ready');
    };
    listeners.add(look);
    over.signal.addEventListener('abort', () => listeners.delete(look));
    look();
  });
  const late = clock
    .sleep(budget, AbortSignal.any([signal, over.signal]))
    .then(() => 'late' as const);
  try {
    const first = await Promise.race([ready, late]);
    if (first === 'ready') {
      return { state: 'ready', elapsed: millisecondsBetween(start, clock.monoNs()) };
    }
    return { state: 'timed-out', missing: state.missing(wanted) };
  } finally {
    late.catch(() => undefined);
    over.abort();
  }
}
