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
  id: z.string(),
  metricName: z.string(),
  phase: z.string(),
  through: z.string(),
  /** Prometheus series that the cluster must have for it. */
  series: z.int().min(0),
  queries: z.array(z.string()),
  /** Why this target cannot show it. @default - it can */
  notApplicable: z.string().optional(),
});

const plannedCluster = strictObject({
  role: z.string(),
  measurements: z.array(plannedMeasurement),
  /** Files of the report folder without their time: `GenericPrometheusQuery X_<group>`, `junit.xml`. */
  files: z.array(z.string()),
});

/**
 * All that a run is about to do, written before anything is touched. Read with `parse`, write with
 * `z.encode`: durations are text in the file.
 */
export const runPlanSchema = strictObject({
  schemaVersion: z.literal(RUN_PLAN_SCHEMA_VERSION),
  run: z.string().regex(RUN_ID),
  createdAt: z.iso.datetime(),
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
  clusters: z.array(plannedCluster),
});

/** A run that is about to happen, or happened. */
export type RunPlan = z.infer<typeof runPlanSchema>;

/** What one cluster has to deliver. */
export type PlannedCluster = RunPlan['clusters'][number];

/** A measurement that one cluster has to deliver. */
export type PlannedMeasurement = PlannedCluster['measurements'][number];
