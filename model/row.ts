import { z } from 'zod';

/** The version of what stands under a row's `meshscale` key. */
export const ROW_SCHEMA_VERSION = 1;

/** Measurements that are of no catalogue: made by the collector from what a run left. */
export const FIXED_MEASUREMENTS = {
  clusterStatus: 'ClusterStatus',
  coverage: 'MeasurementCoverage',
  stimulus: 'StimulusAchieved',
  probeFloor: 'ProbeFloor',
  phase: 'PhaseWindow',
  replaced: 'PodsReplaced',
  propagation: 'ClusterMeshPropagationProbe',
  removal: 'ClusterMeshRemovePropagationProbe',
  propagationSummary: 'ClusterMeshPropagationSummary',
} as const;

/** Whether a value is there, and if not, in which way. */
export const valueStateSchema = z.enum(['present', 'empty', 'missing', 'not-applicable']);
/** `present`, or one of three ways not to be; those always come with a reason. */
export type ValueState = z.infer<typeof valueStateSchema>;

/** The words of a verdict. @see model/verdict.ts */
export const verdictWordSchema = z.enum(['pass', 'fail', 'invalid', 'error', 'not-applicable']);

const rowKindSchema = z.enum(['measurement', 'status', 'coverage', 'fault', 'probe', 'phase']);
/** What a row is about. */
export type RowKind = z.infer<typeof rowKindSchema>;

const count = z.number().nullable();

const workloadShape = {
  namespaces: count,
  deployments_per_namespace: count,
  replicas_per_deployment: count,
  churn_cycles: count,
  kill_duration_seconds: count,
  kill_interval_seconds: count,
  kill_batch: count,
};

/** Only there when several scenarios share one provision. */
const validity = {
  measurement_valid: z.boolean().optional(),
  measurement_invalid_reasons: z.array(z.string()).optional(),
  suite_continue: z.boolean().nullable().optional(),
  infrastructure_healthy: z.boolean().nullable().optional(),
  recovery_valid: z.boolean().nullable().optional(),
};

const testDetailsSchema = z.strictObject({
  trigger_reason: z.string(),
  cluster: z.string(),
  mesh_size: z.int(),
  cluster_count: z.int(),
  ...workloadShape,
  pods_per_cluster: count,
  churn_up_duration: z.string(),
  churn_down_duration: z.string(),
  details: z.string().nullable(),
  ...validity,
});

const coverageSchema = z.strictObject({
  expected: z.int(),
  present: z.int(),
  empty: z.int(),
});

const additionsSchema = z.strictObject({
  schemaVersion: z.literal(ROW_SCHEMA_VERSION),
  kind: rowKindSchema,
  run: z.string(),
  /** Counted from 1; 0 for rows that belong to no attempt. */
  attempt: z.int(),
  /** When the value was taken, UTC; '' when nobody wrote it down. */
  stamp: z.string(),
  engine: z.string(),
  target: z.string(),
  phase: z.string().optional(),
  source_cluster: z.string().optional(),
  target_cluster: z.string().optional(),
  verdict: verdictWordSchema.optional(),
  state: valueStateSchema,
  reason: z.string().optional(),
  unit: z.string(),
  window: z.strictObject({ start: z.string(), end: z.string() }).optional(),
  samples: z.int().optional(),
  coverage: coverageSchema.optional(),
  cilium_version: z.string().optional(),
  valid: z.boolean(),
  invalid_reasons: z.array(z.string()),
  key: z.string(),
});

/**
 * One measured value, or one event of a probe, phase or fault, with everything needed to read it
 * alone. The fields before `meshscale` are those of the table that earlier tools fill; all of ours
 * stand under that one key, so such a table needs one more column.
 * @see data/results-schema.md §2
 */
export const rowSchema = z.strictObject({
  /** When the row was made, UTC, whole seconds. */
  timestamp: z.string(),
  status: z.enum(['success', 'failure']),
  group: z.string(),
  measurement: z.string(),
  result: z.looseObject({}),
  test_details: testDetailsSchema,
  /** JSON text, or ''. */
  cloud_info: z.string(),
  run_id: z.string(),
  run_url: z.string(),
  test_type: z.string(),
  start_timestamp: z.string(),
  cluster: z.string(),
  mesh_size: z.int(),
  cluster_count: z.int(),
  ...workloadShape,
  ...validity,
  meshscale: additionsSchema,
});

/** A line of `rows.jsonl`. */
export type Row = z.infer<typeof rowSchema>;
/** Expected, present and empty values of one measurement. */
export type CoverageCount = z.infer<typeof coverageSchema>;
