import type { Milliseconds } from '../../model/quantity.js';
import type { ScenarioPhase } from '../../model/scenario-spec.js';

/** Why an action did not come to its end. */
export interface ActionFailure {
  readonly cause: 'workload-failed' | 'infrastructure';
  readonly code: string;
  readonly text: string;
  readonly next?: string;
}

/** What an engine did in a phase. Also a failed action says what it achieved until then. */
export interface ActionReport {
  readonly failure?: ActionFailure | undefined;
  /** @default - the action has no rate */
  readonly stimulus?: {
    readonly asked: number | null;
    readonly achieved: number | null;
    readonly unit: string;
  };
  /** @default - the action replaces nothing */
  readonly replaced?: { readonly expected: number; readonly replaced: number };
  /** As in `junit.xml`. */
  readonly steps: readonly {
    readonly title: string;
    readonly duration: Milliseconds;
    readonly failures?: readonly string[];
  }[];
}

/** What an engine itself measured, by ClusterLoader2's summary and metric names. */
export interface EngineLatency {
  readonly metric: string;
  readonly perc50: Milliseconds;
  readonly perc90: Milliseconds;
  readonly perc99: Milliseconds;
}

/** Pod startup as an engine saw it. */
export interface EngineFindings {
  readonly podStartup: {
    readonly all: readonly EngineLatency[];
    readonly stateless: readonly EngineLatency[];
    readonly stateful: readonly EngineLatency[];
  };
  /** Lines for the engine's log. */
  readonly remarks: readonly string[];
}

/** Why an engine is to end at once: the time of its run is over, or somebody wants it to. */
export type StopReason = 'budget' | 'interruption';

/** The code of a failure that the engine's own ending explains better. */
export const ENGINE_ENDED = 'engine-ended';

/** What executes the phases of a scenario on one cluster. */
export interface ClusterEngine {
  /** Gets ready: everything that has to be open before the first change. */
  start(signal: AbortSignal): Promise<ActionFailure | undefined>;
  /**
   * Does the action of a phase within `budget`. What goes wrong on the cluster is in the report;
   * rejects only with the signal's reason, or for a defect.
   */
  act(phase: ScenarioPhase, budget: Milliseconds, signal: AbortSignal): Promise<ActionReport>;
  /**
   * Ends a phase whose action, duration and probes are over, before the next one may begin.
   * @default - nothing is left to do
   */
  readonly closePhase?: (
    phase: ScenarioPhase,
    budget: Milliseconds,
    signal: AbortSignal,
  ) => Promise<ActionReport>;
  /**
   * Comes to the end after the last phase, or after the one that failed. Gives what went wrong beyond
   * what its reports have said; also called after an abort, and never rejects for one.
   * @default - nothing is left to do
   */
  readonly conclude?: (
    stop: StopReason | undefined,
    signal: AbortSignal,
  ) => Promise<ActionFailure | undefined>;
  /** What was measured in these phases. */
  findings(podStartupPhases: readonly string[]): EngineFindings;
  /** Ends watches; the cluster is left as it is. */
  stop(): void;
}
