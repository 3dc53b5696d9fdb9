import { z } from 'zod';
import { inventorySchema } from './inventory.js';
import { scenarioNeed } from './scenario-shape.js';
import { scenarioSchema } from './scenario-spec.js';
import { strictObject } from './strict-object.js';

/** The version of `plan.json` that this program writes and reads. */
export const RUN_PLAN_SCHEMA_VERSION = 1;

/** `20260515T020000Z-first-look-k3xq`: sorts by time. */
export const RUN_ID = /^\d{8}T\d{6}Z-[a-z0-9-]+-[a-z2-7]{4}$/;

const plannedMeasurement = strictObject({
  /** Id of the catalogue. */
  id: z.string(),
  /** Its name in rows and file names. */
  measurement: z.string(),
  queries: z.array(z.string()),
  phase: z.string(),
  /** The last phase of the window. */
  through: z.string(),
  /** Prometheus series that each cluster must have for it. */
  series: z.int().min(0),
});

const plannedCluster = strictObject({
  role: z.string(),
  /** Files of the report folder without their time: `GenericPrometheusQuery X_<group>`, `junit.xml`. */
  files: z.array(z.string()),
  /** Measurements that this cluster cannot show, and why. */
  notApplicable: z.array(strictObject({ id: z.string(), reason: z.string() })),
});

/** Rates of the mesh's limiters, keys per second. */
const rates = strictObject({
  exporterPerSecond: z.number().positive(),
  kvstoremeshPerSecond: z.number().positive(),
});

/** Flags by their names in the program: `{ "executor": "job" }`. */
const flags = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]),
);

/**
 * All that a run is about to do, written before anything is touched. Read with `parse`, write with
 * `z.encode`: durations are text in the file.
 */
export const runPlanSchema = strictObject({
  schemaVersion: z.literal(RUN_PLAN_SCHEMA_VERSION),
  runId: z.string().regex(RUN_ID),
  startedAt: z.iso.datetime(),
  engine: z.enum(['native', 'clusterloader2']),
  seed: z.int().min(0),
  /** Of this program and of what it runs on. */
  versions: z.record(z.string(), z.string()),
  scenario: scenarioSchema,
  knobs: z.record(
    z.string(),
    strictObject({ value: z.union([z.number(), z.string()]), set: z.boolean() }),
  ),
  inventory: inventorySchema,
  /** Needs of the scenario that the target cannot meet: the verdict is then `not-applicable`. */
  unmetNeeds: z.array(strictObject({ need: scenarioNeed, reason: z.string() })),
  /** What every cluster has to deliver. */
  expected: z.array(plannedMeasurement),
  clusters: z.array(plannedCluster),
  /** @default - not known on this target */
  rates: rates.optional(),
  /** What the command line said about engine and runner, so that `resume` does the same. @default - nothing */
  flags: flags.optional(),
});

/** A run that is about to happen, or happened. */
export type RunPlan = z.infer<typeof runPlanSchema>;

/** What is particular to one cluster. */
export type PlannedCluster = RunPlan['clusters'][number];

/** A measurement that every cluster has to deliver. */
export type PlannedMeasurement = RunPlan['expected'][number];

/** The ceilings of the mesh's two limiters. */
export type MeshRates = z.infer<typeof rates>;
