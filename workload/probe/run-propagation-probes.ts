import { setMaxListeners } from 'node:events';
import type { Milliseconds } from '../../model/quantity.js';
import { millisecondsBetween, type Clock } from '../platform/clock.js';
import { anchorClock } from './anchored-clock.js';
import { standAnchors } from './identity-anchors.js';
import { openWatches, type ProbeWatches } from './open-watches.js';
import { namePrefix, seriesSelector, sweep, type ObjectStyle } from './probe-objects.js';
import { isThere, kindsOf, whileThere, type ProbeCluster, type ProbePlan } from './probe-plan.js';
import { probeRecords, type ProbeRecord } from './probe-record.js';
import { createTally, type ProbeSummary } from './probe-summary.js';
import { runProbe } from './run-probe.js';

/** One series of probes to run. */
export interface ProbeRequest {
  /** The mesh: every cluster is source in its turn and peer of all others. */
  readonly clusters: readonly ProbeCluster[];
  readonly plan: ProbePlan;
  readonly clock: Clock;
  /** Ends the series; what was begun is told with a reason, and its objects are removed. */
  readonly signal: AbortSignal;
  /** Exists in every cluster, and is annotated as global where Cilium asks for that. */
  readonly namespace: string;
  /** Of the run, for every object. */
  readonly labels: Readonly<Record<string, string>>;
  /** Takes each record as soon as its probe is over. What it throws ends the series. */
  readonly onResult: (record: ProbeRecord) => void | Promise<void>;
}

/**
 * Changes something in one cluster after the other and tells when each peer has it, stage by stage.
 * All watches are confirmed before the first change; one clock times everything. Probes start at
 * their time whether earlier ones are over or not. Nothing that the clusters do makes it reject:
 * a peer that sees nothing is a record with a reason.
 */
export async function runPropagationProbes(request: ProbeRequest): Promise<ProbeSummary> {
  const { clusters, plan, clock, signal } = request;
  const style = styleOf(request);
  const ending = new AbortController();
  const stopping = new AbortController();
  // Node warns of a leak at the eleventh listener; here each watch and each wait has one of its own.
  setMaxListeners(0, ending.signal);
  const watches = watchAll(request, style, ending.signal);
  watches.ended.catch((error: unknown) => {
    stopping.abort(error);
  });
  const stopped = AbortSignal.any([signal, stopping.signal]);
  setMaxListeners(0, stopped);
  const series: Series = {
    request: { ...request, signal: stopped },
    ...{ style, watches, stopping, tally: createTally(), anchor: anchorClock(clock) },
  };
  let leftovers: readonly string[] = [];
  let ran: Ran = { made: 0, lateStartMs: 0, blind: [] };
  try {
    ran = await runSeries(series);
  } finally {
    leftovers = await sweepAll(clusters, style);
    ending.abort();
  }
  await watches.ended;
  stopping.signal.throwIfAborted();
  const counts = { ...series.tally.counts(), ...watches.counts() };
  return {
    ...{ id: style.id, asked: plan.count, ...ran, ...counts },
    ...{ figures: series.tally.figures(), leftovers, interrupted: signal.aborted },
  };
}

function watchAll(
  { clusters, plan, clock }: ProbeRequest,
  style: ObjectStyle,
  signal: AbortSignal,
): ProbeWatches {
  return openWatches({
    clusters,
    kinds: kindsOf(plan),
    namespace: style.namespace,
    labelSelector: seriesSelector(style),
    namePrefix: namePrefix(style),
    clock,
    signal,
  });
}

interface Series {
  readonly request: ProbeRequest;
  readonly style: ObjectStyle;
  readonly watches: ProbeWatches;
  /** Ends all probes when one of them met a defect, such as a record that could not be written. */
  readonly stopping: AbortController;
  readonly tally: ReturnType<typeof createTally>;
  readonly anchor: ReturnType<typeof anchorClock>;
}

type Ran = Pick<ProbeSummary, 'made' | 'lateStartMs' | 'blind'>;

async function runSeries(series: Series): Promise<Ran> {
  const { request, watches, style } = series;
  const { clusters, plan, clock, signal } = request;
  const blind = await watches.confirm(WATCH_BUDGET);
  if ((plan.stimulus ?? 'pod') === 'pod') {
    await standAnchors({ clusters, watches, style, clock, signal });
  }
  const startNs = clock.monoNs();
  const running = new Set<Promise<void>>();
  let made = 0;
  let lateStartMs = 0;
  try {
    while (made < plan.count) {
      const due = made * plan.intervalMs;
      const wait = due - millisecondsBetween(startNs, clock.monoNs());
      if (wait > 0 && !(await slept(clock, wait, signal))) break;
      while (running.size >= MOST_AT_ONCE) await Promise.race(running);
      // A change that nobody is left to see shows nothing.
      if (signal.aborted || clusters.filter(isThere).length < 2) break;
      lateStartMs = Math.max(lateStartMs, millisecondsBetween(startNs, clock.monoNs()) - due);
      const probe = probeOnce(series, made).finally(() => running.delete(probe));
      running.add(probe);
      made += 1;
    }
  } finally {
    await Promise.all(running);
  }
  return { made, lateStartMs, blind };
}

async function probeOnce(series: Series, index: number): Promise<void> {
  const { request, style, watches, tally, anchor, stopping } = series;
  const { plan, clock, onResult } = request;
  const clusters = request.clusters.filter(isThere);
  const source = clusters[index % clusters.length];
  if (source === undefined) return;
  const outcome = await runProbe({
    ...{ index, source, style, watches, clock },
    signal: whileThere(source, request.signal),
    peers: clusters.filter((one) => one !== source),
    kinds: kindsOf(plan),
    stimulus: plan.stimulus ?? 'pod',
    budget: plan.budgetMs,
  });
  try {
    for (const record of probeRecords(outcome, anchor)) {
      tally.add(record);
      await onResult(record);
    }
  } catch (error) {
    // Others may be under way; they end early, and then the series rejects with this.
    stopping.abort(error);
  } finally {
    outcome.tracks.forget();
  }
}

function styleOf({ plan, namespace, labels }: ProbeRequest): ObjectStyle {
  return { id: plan.id ?? 'series', namespace, labels };
}

/** Without the signal: what was made is removed also when the run is being stopped. */
async function sweepAll(
  clusters: readonly ProbeCluster[],
  style: ObjectStyle,
): Promise<readonly string[]> {
  const left = await Promise.all(
    clusters.filter(isThere).map(async ({ role, kube, gone }) => {
      const found = await sweep(kube, style, gone);
      return found.map((one) => `${role} ${one}`);
    }),
  );
  return left.flat();
}

/** False when the signal came first. */
async function slept(clock: Clock, wait: Milliseconds, signal: AbortSignal): Promise<boolean> {
  try {
    await clock.sleep(wait, signal);
    return true;
  } catch {
    return false;
  }
}

/** Ours: an API server under load accepts a watch within a few seconds. */
const WATCH_BUDGET: Milliseconds = 30_000;

/** Ours: so many pods of ours at once are no load of their own; more only pile up in a mesh that stands still. */
const MOST_AT_ONCE = 100;
