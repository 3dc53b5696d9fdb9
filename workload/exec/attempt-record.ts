import type { Milliseconds } from '../../model/quantity.js';
import type { ScenarioPhase } from '../../model/scenario-spec.js';

/** The version of `outcome.json` that attempts write; results read it. */
export const OUTCOME_SCHEMA_VERSION = 1;

/** How an attempt ended. */
export type AttemptEnding =
  | { readonly state: 'finished' }
  | AttemptFailure
  | { readonly state: 'interrupted'; readonly text: string };

/** Why an attempt did not get to its end, and whose fault it is. */
export interface AttemptFailure {
  readonly state: 'failed';
  readonly cause: 'workload-failed' | 'infrastructure';
  /** Kebab-case, stable: `api-server-unreachable`. */
  readonly code: string;
  /** One sentence with what was missing. */
  readonly text: string;
  readonly next?: string;
}

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

/** What a phase was asked for and what it did. */
export interface StimulusRecord {
  readonly phase: string;
  /** Null: as fast as it goes. */
  readonly asked: number | null;
  readonly achieved: number | null;
  readonly unit: string;
}

/** How many of the pods of before a restart are gone and replaced after it. */
export interface ReplacedRecord {
  readonly phase: string;
  readonly expected: number;
  readonly replaced: number;
}

/** A step as `junit.xml` has it. */
export interface StepRecord {
  readonly title: string;
  readonly identifier?: string;
  readonly duration: Milliseconds;
  readonly failures?: readonly string[];
}

/** Why a measurement has no value. */
export interface MeasurementNoteRecord {
  /** Name as in rows. */
  readonly measurement: string;
  readonly state: 'empty' | 'missing' | 'not-applicable';
  readonly reason: string;
}

/** All that one execution on one cluster left behind, besides its values. */
export interface AttemptRecord {
  readonly cluster: string;
  readonly attempt: number;
  readonly startedAt: Milliseconds;
  readonly endedAt: Milliseconds;
  readonly ending: AttemptEnding;
  readonly phases: readonly PhaseRecord[];
  readonly stimuli: readonly StimulusRecord[];
  readonly replaced: readonly ReplacedRecord[];
  readonly steps: readonly StepRecord[];
}

/** The content of `outcome.json`. */
export function outcomeText(
  record: AttemptRecord,
  measurements: readonly MeasurementNoteRecord[],
): string {
  const { cluster, attempt, ending, stimuli, replaced } = record;
  const phases = record.phases.map(({ name, kind, startedAt, endedAt, lag }) => ({
    name,
    kind,
    start: utc(startedAt),
    end: utc(endedAt),
    ...(lag === undefined ? {} : { lagMs: lag }),
  }));
  const [startedAt, endedAt] = [utc(record.startedAt), utc(record.endedAt)];
  const head = { schemaVersion: OUTCOME_SCHEMA_VERSION, cluster, attempt, startedAt, endedAt };
  const content = { ...head, ending, phases, stimuli, replaced, measurements };
  return `${JSON.stringify(content, undefined, 2)}\n`;
}

function utc(at: Milliseconds): string {
  return new Date(at).toISOString();
}
