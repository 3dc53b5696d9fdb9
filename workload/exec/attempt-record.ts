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
import type { EngineFindings } from '../native/cluster-engine.js';

/** When a phase ran on a cluster. */
export interface PhaseRecord {
  readonly name: string;
  /** As in the scenario. */
  readonly kind: string;
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

/**
 * The text of `outcome.json` when an attempt has ended: with all that its report folder will be made of,
 * so that a later runner can write it when this one is killed before.
 */
export function endedText(record: AttemptRecord, findings: EngineFindings | undefined): string {
  const steps = record.steps.map(({ title, identifier, duration, failures }) => ({
    title,
    ...(identifier === undefined ? {} : { identifier }),
    durationMs: duration,
    ...(failures === undefined ? {} : { failures: [...failures] }),
  }));
  const startup = findings?.podStartup;
  const podStartup =
    startup === undefined
      ? undefined
      : {
          all: [...startup.all],
          stateless: [...startup.stateless],
          stateful: [...startup.stateful],
        };
  const pending = { steps, ...(podStartup === undefined ? {} : { podStartup }) };
  return textOf({ ...outcomeOf(record, []), pending });
}

/** The text of `outcome.json` when the report folder is there, with why some values are not. */
export function outcomeText(
  record: AttemptRecord,
  measurements: readonly MeasurementNote[],
): string {
  return textOf(outcomeOf(record, measurements));
}

function textOf(outcome: AttemptOutcome): string {
  return `${JSON.stringify(outcome, undefined, 2)}\n`;
}

function outcomeOf(
  record: AttemptRecord,
  measurements: readonly MeasurementNote[],
): AttemptOutcome {
  const { cluster, attempt, ending, stimuli, replaced } = record;
  const phases = record.phases.map(({ name, kind, startedAt, endedAt, lag }) => ({
    name,
    kind,
    start: utc(startedAt),
    end: utc(endedAt),
    ...(lag === undefined ? {} : { lagMs: lag }),
  }));
  return {
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
}

function utc(at: Milliseconds): string {
  return new Date(at).toISOString();
}
