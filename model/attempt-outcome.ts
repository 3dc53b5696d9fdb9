import { z } from 'zod';
import { cl2OutcomeSchema } from './cl2-outcome.js';
import { strictObject } from './strict-object.js';

/** The version of `outcome.json` that this program writes and reads. */
export const OUTCOME_SCHEMA_VERSION = 1;

const endingSchema = z.discriminatedUnion('state', [
  strictObject({ state: z.literal('finished') }),
  strictObject({
    state: z.literal('failed'),
    /** Whose fault it is; decides the exit code. */
    cause: z.enum(['workload-failed', 'infrastructure']),
    /** Kebab-case and stable: `api-server-unreachable`, `pods-not-running`. */
    code: z.string(),
    /** One sentence for people, with what was missing. */
    text: z.string(),
    next: z.string().optional(),
  }),
  strictObject({ state: z.literal('interrupted'), text: z.string() }),
]);

const phaseWindowSchema = strictObject({
  name: z.string(),
  /** `load`, `warm-up`, `burst`, `hold`, `settle`, `delete`. */
  kind: z.string(),
  start: z.string(),
  end: z.string(),
  /** How much later than the first cluster this one began. @default - the phase has no barrier */
  lagMs: z.number().optional(),
});

const stimulusSchema = strictObject({
  phase: z.string(),
  /** What was asked for, in `unit`; null for "as fast as it goes", which cannot be missed. */
  asked: z.number().nullable(),
  achieved: z.number().nullable(),
  unit: z.string(),
});

const replacedSchema = strictObject({
  phase: z.string(),
  expected: z.int(),
  replaced: z.int(),
});

const noteSchema = strictObject({
  /** Name as in rows. */
  measurement: z.string(),
  state: z.enum(['empty', 'missing', 'not-applicable']),
  reason: z.string(),
});

const latencySchema = strictObject({
  metric: z.string(),
  perc50: z.number(),
  perc90: z.number(),
  perc99: z.number(),
});

/** What only the runner knows until it is in the report folder. Times are milliseconds. */
const pendingSchema = strictObject({
  steps: z.array(
    strictObject({
      title: z.string(),
      identifier: z.string().optional(),
      durationMs: z.number(),
      failures: z.array(z.string()).optional(),
    }),
  ),
  /** @default - the engine never ran, or writes them itself */
  podStartup: strictObject({
    all: z.array(latencySchema),
    stateless: z.array(latencySchema),
    stateful: z.array(latencySchema),
  }).optional(),
});

/**
 * `attempt-<n>/outcome.json`: how one engine execution on one cluster ended, and what the engine
 * knows that its report files cannot say. Written when the attempt ends, whatever happened.
 */
export const attemptOutcomeSchema = strictObject({
  schemaVersion: z.literal(OUTCOME_SCHEMA_VERSION),
  cluster: z.string(),
  attempt: z.int().min(1),
  startedAt: z.string(),
  endedAt: z.string(),
  ending: endingSchema,
  phases: z.array(phaseWindowSchema).default([]),
  stimuli: z.array(stimulusSchema).default([]),
  /** Pods that a restart really replaced. */
  replaced: z.array(replacedSchema).default([]),
  /** Measurements without a value, each with its reason. */
  measurements: z.array(noteSchema).default([]),
  /** How ClusterLoader2 itself ended. @default - another engine ran, or it was never started */
  engine: cl2OutcomeSchema.optional(),
  /** What the report folder is still to be made of. @default - it has been written */
  pending: pendingSchema.optional(),
});

/** How an attempt ended, with its facts. */
export type AttemptOutcome = z.infer<typeof attemptOutcomeSchema>;
/** In which of three ways an attempt ended. */
export type AttemptEnding = AttemptOutcome['ending'];
/** When a phase ran on a cluster, UTC. */
export type PhaseWindow = AttemptOutcome['phases'][number];
/** What a phase was asked to do and what it did. */
export type Stimulus = AttemptOutcome['stimuli'][number];
/** How many of the pods of before a restart are gone and replaced after it. */
export type ReplacedPods = AttemptOutcome['replaced'][number];
/** Why a measurement has no value. */
export type MeasurementNote = AttemptOutcome['measurements'][number];
