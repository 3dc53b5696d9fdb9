import type { Milliseconds } from '../../model/quantity.js';
import type { ReflectorEvent } from '../kube/reflector-store.js';
import type { SeenPod } from './seen-objects.js';

/** When a watch has shown the steps of one pod, on the runner's monotonic clock. */
export interface PodStartup {
  readonly phase: string;
  readonly stateful: boolean;
  readonly scheduled: Milliseconds;
  readonly running: Milliseconds;
}

/** Collects the startup of every pod that is created under its eyes. */
export interface PodStartups {
  /** Pods created from now on belong to `phase`. */
  enter(phase: string): void;
  /** `at`: when the bytes of the event came. */
  see(event: ReflectorEvent<SeenPod>, at: Milliseconds): void;
  /** Pods that were created in one of these phases and have been seen running. */
  finished(phases: readonly string[]): readonly PodStartup[];
}

/**
 * Every step is timed by when the watch showed it, as ClusterLoader2 does since May 2026: the objects'
 * own times have a grain of a second. A pod that was first seen by a list is left out, because nobody
 * knows how long it had been there. @see data/clusterloader2.md §4.3
 */
export function createPodStartups(): PodStartups {
  const begun = new Map<string, Begun>();
  const done: PodStartup[] = [];
  let current = '';
  return {
    enter: (phase) => {
      current = phase;
    },
    see: ({ type, seenBy, object }, at) => {
      const { uid, stateful, scheduled, running } = object;
      if (type === 'deleted') {
        begun.delete(uid);
        return;
      }
      if (type === 'added' && seenBy === 'watch' && !running) {
        begun.set(uid, { phase: current, created: at, scheduled: undefined });
      }
      const known = begun.get(uid);
      if (known === undefined) return;
      if (scheduled) known.scheduled ??= at;
      if (!running) return;
      const { phase, created } = known;
      begun.delete(uid);
      const scheduledAt = (known.scheduled ?? at) - created;
      done.push({ phase, stateful, scheduled: scheduledAt, running: at - created });
    },
    finished: (phases) => done.filter(({ phase }) => phases.includes(phase)),
  };
}

interface Begun {
  readonly phase: string;
  readonly created: Milliseconds;
  scheduled: Milliseconds | undefined;
}

/** Quantiles of one step of pod startup. */
export interface StartupLatency {
  /** As ClusterLoader2 names it. */
  readonly metric: string;
  readonly perc50: Milliseconds;
  readonly perc90: Milliseconds;
  readonly perc99: Milliseconds;
}

/** The steps by ClusterLoader2's names; none without pods, where ClusterLoader2 gives zeros. */
export function startupLatencies(pods: readonly PodStartup[]): readonly StartupLatency[] {
  if (pods.length === 0) return [];
  const whole = pods.map(({ running }) => running);
  const toRun = pods.map(({ scheduled, running }) => running - scheduled);
  return [
    latency(
      'create_to_schedule',
      pods.map(({ scheduled }) => scheduled),
    ),
    latency('schedule_to_run', toRun),
    // Running is when the watch shows it, so nothing lies between the two.
    latency(
      'run_to_watch',
      pods.map(() => 0),
    ),
    latency('schedule_to_watch', toRun),
    latency('pod_startup', whole),
    // ClusterLoader2 gives it since 2026 as well; without a step between them both are the same.
    latency('create_to_run', whole),
  ];
}

function latency(metric: string, values: readonly Milliseconds[]): StartupLatency {
  const sorted = [...values].sort((a, b) => a - b);
  const rank = (share: number): Milliseconds =>
    sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return { metric, perc50: rank(0.5), perc90: rank(0.9), perc99: rank(0.99) };
}
