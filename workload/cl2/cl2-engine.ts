import type { Milliseconds } from '../../model/quantity.js';
import type { ScenarioPhase } from '../../model/scenario-spec.js';
import type { ActionReport, ClusterEngine, EngineFindings } from '../native/cluster-engine.js';
import { workloadSelector } from '../native/objects.js';
import { watchWorkload } from '../native/workload-watch.js';
import { conclude } from './conclude.js';
import type { Cl2EngineOptions, EngineState } from './engine-state.js';
import { createGateControl } from './gate-control.js';
import { createLogTail } from './log-tail.js';
import { gateFailure, phaseReport } from './run-until.js';
import { startCl2 } from './start-cl2.js';
import { createStepWatch } from './step-watch.js';

/**
 * ClusterLoader2 as an engine. It runs the whole scenario in one process; a gate before each phase
 * lets the runner say when it goes on, so that barriers, durations and probes are the runner's as with
 * the native engine. What it did is read from the markers in its log.
 */
export function createCl2Engine(options: Cl2EngineOptions): ClusterEngine {
  const { client, clock, objects } = options;
  const stopped = new AbortController();
  const selector = workloadSelector(objects);
  const state: EngineState = {
    options,
    // Evidence of our own: which pods were replaced is not in ClusterLoader2's files.
    watch: watchWorkload({ client, clock, selector, signal: stopped.signal }),
    gates: createGateControl({ client, clock, objects }),
    steps: createStepWatch(options.job.steps),
    tail: createLogTail(),
    execution: undefined,
    outcome: undefined,
  };
  return {
    start: (signal) => startCl2(state, signal),
    act: (phase, budget, signal) => act(state, phase, budget, signal),
    closePhase: (phase, budget, signal) => closePhase(state, phase, budget, signal),
    conclude: (stop, signal) => conclude(state, stop, signal),
    findings: () => NO_FINDINGS,
    stop: () => {
      stopped.abort(new Error('the engine was stopped'));
    },
  };
}

async function act(
  state: EngineState,
  phase: ScenarioPhase,
  budget: Milliseconds,
  signal: AbortSignal,
): Promise<ActionReport> {
  const { options, watch, gates } = state;
  const before = watch.state.runningPods();
  const opened = await gates.open([phase.name], signal);
  if (!opened.ok) return { steps: [], failure: gateFailure(opened.text) };
  const report = await phaseReport(state, {
    phase,
    roles: ['gate', 'start', 'load', 'wait'],
    // Its own waits end with the phase's budget; it then still has to say so.
    budget: budget + SAY_SO,
    clock: options.clock,
    signal,
  });
  if (phase.action.kind !== 'restart') return report;
  const fresh = [...watch.state.runningPods()].filter((uid) => !before.has(uid)).length;
  const gone = [...before].filter((uid) => !watch.state.hasPod(uid)).length;
  const { times } = phase.action;
  // Of several restarts only the last one's pods can still be seen: each counts once.
  const replaced = { expected: before.size * times, replaced: Math.min(gone, fresh) * times };
  return { ...report, replaced };
}

async function closePhase(
  state: EngineState,
  phase: ScenarioPhase,
  budget: Milliseconds,
  signal: AbortSignal,
): Promise<ActionReport> {
  const { options, gates } = state;
  const has = options.job.steps.some(
    ({ role, phase: name }) => role === 'end-gate' && name === phase.name,
  );
  if (!has) return { steps: [] };
  const opened = await gates.open([`${phase.name}-end`], signal);
  if (!opened.ok) return { steps: [], failure: gateFailure(opened.text) };
  const { clock } = options;
  return await phaseReport(state, {
    phase,
    roles: ['end-gate', 'gather'],
    budget,
    clock,
    signal,
  });
}

/** Its quantiles are in its own files. */
const NO_FINDINGS: EngineFindings = {
  podStartup: { all: [], stateless: [], stateful: [] },
  remarks: [],
};

/** Ours: it looks at its pods every 5 s. */
const SAY_SO: Milliseconds = 15_000;
