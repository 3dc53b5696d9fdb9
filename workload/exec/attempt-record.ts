import type { Cl2Outcome } from '../../model/cl2-outcome.js';
import {
  OUTCOME_SCHEMA_VERSION,
  type AttemptEnding,
  type AttemptOutcome,
  type MeasurementNote,
  type ReplacedPods,
  type Stimulus,
} from '../../model/attempt-outcome.js';
import type { Milliseconds } from '../../model/quantity.js';
import type { ScenarioPhase } from '../../model/scenario-spec.js';

/** When a phase ran on a cluster. */
export interface PhaseRecord {
  readonly name: string;
  readonly kind: ScenarioPhase['kind'];
  /** UTC milliseconds. */
  readonly startedAt: Milliseconds;
  readonly endedAt: Milliseconds;
  /** How much later than the first cluster this one began; undefined without a barrier. */
  readonly lag?: Milliseconds | undefined;
}

/** A step as `junit.xml` has it. */
export interface StepRecord {
  readonly title: string;
  readonly identifier?: string;
  readonly duration: Milliseconds;
  readonly failures?: readonly string[];
}

/** All that one execution on one cluster left behind, besides its values. */
export interface AttemptRecord {
  readonly cluster: string;
  readonly attempt: number;
  readonly startedAt: Milliseconds;
  readonly endedAt: Milliseconds;
  readonly ending: AttemptEnding;
  readonly phases: readonly PhaseRecord[];
  readonly stimuli: readonly Stimulus[];
  readonly replaced: readonly ReplacedPods[];
  readonly steps: readonly StepRecord[];
  /** How the engine itself ended. @default - the engine has no endings of its own */
  readonly engine?: Cl2Outcome | undefined;
}

/** The text of `outcome.json`. */
export function outcomeText(
  record: AttemptRecord,
  measurements: readonly MeasurementNote[],
): string {
  const { cluster, attempt, ending, stimuli, replaced } = record;
  const phases = record.phases.map(({ name, kind, startedAt, endedAt, lag }) => ({
    name,
    kind,
    start: utc(startedAt),
    end: utc(endedAt),
    ...(lag === undefined ? {} : { lagMs: lag }),
  }));
  const content: AttemptOutcome = {
    schemaVersion: OUTCOME_SCHEMA_VERSION,
    cluster,
    attempt,
    startedAt: utc(record.startedAt),
    endedAt: utc(record.endedAt),
    ending,
    phases,
    stimuli: [...stimuli],
    replaced: [...replaced],
    measurements: [...measurements],
    ...(record.engine === undefined ? {} : { engine: record.engine }),
  };
  return `${JSON.stringify(content, undefined, 2)}\n`;
}

function utc(at: Milliseconds): string {
  return new Date(at).toISOString();
}
