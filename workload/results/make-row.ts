import {
  ROW_SCHEMA_VERSION,
  type CoverageCount,
  type Row,
  type RowKind,
  type ValueState,
} from '../../model/row.js';
import { rowKey } from '../../model/row-key.js';
import type { VerdictWord } from '../../model/verdict.js';
import type { RunFacts } from './run-facts.js';

/** What all rows of one attempt on one cluster share. */
export interface RowFrame {
  readonly facts: RunFacts;
  /** When the rows are made: UTC, whole seconds. */
  readonly timestamp: string;
  readonly cluster: string;
  readonly attempt: number;
  readonly status: Row['status'];
  /** Texts of what failed in this attempt; null when nothing did. */
  readonly details: string | null;
  readonly ciliumVersion?: string | undefined;
  /** Why this cluster's values must not be used. */
  readonly invalidReasons: readonly string[];
}

/** What one row says. */
export interface RowPart {
  readonly kind: RowKind;
  readonly group: string;
  readonly measurement: string;
  readonly result: Readonly<Record<string, unknown>>;
  readonly unit: string;
  readonly state: ValueState;
  readonly reason?: string | undefined;
  readonly stamp?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly phase?: string | undefined;
  readonly source?: string | undefined;
  readonly target?: string | undefined;
  readonly item?: string | undefined;
  readonly window?: { readonly start: string; readonly end: string } | undefined;
  readonly samples?: number | undefined;
  readonly coverage?: CoverageCount | undefined;
  readonly verdict?: VerdictWord | undefined;
}

/** A row from what its attempt shares and what it says itself. */
export function makeRow(frame: RowFrame, part: RowPart): Row {
  const { facts, cluster, timestamp, status } = frame;
  return {
    timestamp,
    status,
    group: part.group,
    measurement: part.measurement,
    result: { ...part.result },
    test_details: testDetails(frame),
    cloud_info: '',
    run_id: facts.runId,
    run_url: facts.runUrl,
    test_type: facts.testType,
    start_timestamp: facts.startedAt,
    cluster,
    mesh_size: facts.meshSize,
    cluster_count: facts.clusters.length,
    ...shapeOf(facts),
    ...NO_CHURN,
    meshscale: additions(frame, part),
  };
}

const NO_CHURN = {
  churn_cycles: 0,
  kill_duration_seconds: 0,
  kill_interval_seconds: 0,
  kill_batch: 0,
};

function shapeOf({ shape }: RunFacts) {
  return {
    namespaces: shape.namespaces,
    deployments_per_namespace: shape.deploymentsPerNamespace,
    replicas_per_deployment: shape.replicasPerDeployment,
  };
}

function testDetails({ facts, cluster, details }: RowFrame): Row['test_details'] {
  const { namespaces, deploymentsPerNamespace, replicasPerDeployment } = facts.shape;
  const known =
    namespaces !== null && deploymentsPerNamespace !== null && replicasPerDeployment !== null;
  return {
    trigger_reason: facts.triggerReason,
    cluster,
    mesh_size: facts.meshSize,
    cluster_count: facts.clusters.length,
    ...shapeOf(facts),
    pods_per_cluster: known ? namespaces * deploymentsPerNamespace * replicasPerDeployment : null,
    ...NO_CHURN,
    churn_up_duration: '',
    churn_down_duration: '',
    details,
  };
}

function additions(frame: RowFrame, part: RowPart): Row['meshscale'] {
  const { facts, cluster } = frame;
  const { kind, state, unit, phase, reason, window, samples, coverage, verdict } = part;
  return {
    schemaVersion: ROW_SCHEMA_VERSION,
    kind,
    run: facts.runId,
    attempt: frame.attempt,
    stamp: part.stamp ?? '',
    engine: facts.engine,
    target: facts.target,
    ...defined({ phase, source_cluster: part.source, target_cluster: part.target, verdict }),
    state,
    ...defined({ reason }),
    unit,
    ...defined({ window, samples, coverage, cilium_version: frame.ciliumVersion }),
    valid: frame.invalidReasons.length === 0,
    invalid_reasons: [...frame.invalidReasons],
    key: rowKey({ ...part, runId: facts.runId, testType: facts.testType, cluster }),
  };
}

/** The entries that have a value: optional fields are left out, never `null`. */
function defined<T extends object>(values: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: NonNullable<T[K]> };
}
