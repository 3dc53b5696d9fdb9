import {
  ROW_SCHEMA_VERSION,
  type CoverageCount,
  type Row,
  type RowKind,
  type ValueState,
} from '../../model/row.js';
import { rowKeys, sortedLabels } from '../../model/row-key.js';
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
  /** Where many rows share most of theirs. @default - made of the fields above */
  readonly key?: string | undefined;
}

/** A row from what its attempt shares and what it says itself. */
export function makeRow(frame: RowFrame, part: RowPart): Row {
  const { facts, cluster, timestamp, status } = frame;
  const { shape } = facts;
  return {
    timestamp,
    status,
    group: part.group,
    measurement: part.measurement,
    result: part.result,
    test_details: testDetails(frame),
    cloud_info: '',
    run_id: facts.runId,
    run_url: facts.runUrl,
    test_type: facts.testType,
    start_timestamp: facts.startedAt,
    cluster,
    mesh_size: facts.meshSize,
    cluster_count: facts.clusters.length,
    namespaces: shape.namespaces,
    deployments_per_namespace: shape.deploymentsPerNamespace,
    replicas_per_deployment: shape.replicasPerDeployment,
    churn_cycles: 0,
    kill_duration_seconds: 0,
    kill_interval_seconds: 0,
    kill_batch: 0,
    ...validityOf(facts),
    meshscale: additions(frame, part),
  };
}

/** One object for all rows of a frame: it is most of a row, and made and written once. */
function testDetails(frame: RowFrame): Row['test_details'] {
  const known = DETAILS.get(frame);
  if (known !== undefined) return known;
  const made = makeTestDetails(frame);
  DETAILS.set(frame, made);
  return made;
}

const DETAILS = new WeakMap<RowFrame, Row['test_details']>();

function makeTestDetails({ facts, cluster, details }: RowFrame): Row['test_details'] {
  const { namespaces, deploymentsPerNamespace, replicasPerDeployment } = facts.shape;
  const known =
    namespaces !== null && deploymentsPerNamespace !== null && replicasPerDeployment !== null;
  return {
    trigger_reason: facts.triggerReason,
    cluster,
    mesh_size: facts.meshSize,
    cluster_count: facts.clusters.length,
    namespaces,
    deployments_per_namespace: deploymentsPerNamespace,
    replicas_per_deployment: replicasPerDeployment,
    pods_per_cluster: known ? namespaces * deploymentsPerNamespace * replicasPerDeployment : null,
    churn_cycles: 0,
    kill_duration_seconds: 0,
    kill_interval_seconds: 0,
    kill_batch: 0,
    churn_up_duration: '',
    churn_down_duration: '',
    details,
    ...validityOf(facts),
  };
}

/** Only rows of suites have these fields. */
function validityOf({ validity }: RunFacts) {
  if (validity === undefined) return undefined;
  const { measurement_invalid_reasons: reasons } = validity;
  return { ...validity, measurement_invalid_reasons: [...reasons] };
}

/** Optional fields without a value are undefined here and left out of the file, never `null`. */
function additions(frame: RowFrame, part: RowPart): Row['meshscale'] {
  const { facts } = frame;
  return {
    schemaVersion: ROW_SCHEMA_VERSION,
    kind: part.kind,
    run: facts.runId,
    attempt: frame.attempt,
    stamp: part.stamp ?? '',
    engine: facts.engine,
    target: facts.target,
    phase: part.phase,
    source_cluster: part.source,
    target_cluster: part.target,
    verdict: part.verdict,
    state: part.state,
    reason: part.reason,
    unit: part.unit,
    window: part.window,
    samples: part.samples,
    coverage: part.coverage,
    cilium_version: frame.ciliumVersion,
    valid: frame.invalidReasons.length === 0,
    invalid_reasons: [...frame.invalidReasons],
    key: part.key ?? keyOf(frame, part),
  };
}

function keyOf(frame: RowFrame, part: RowPart): string {
  const { labels, phase, source, target, item } = part;
  return keysOf(frame, part)(sortedLabels(labels), { phase, source, target, item });
}

let last: { frame: RowFrame; part: RowPart; keys: ReturnType<typeof rowKeys> } | undefined;

/** Rows of one measurement are made one after the other. */
function keysOf(frame: RowFrame, part: RowPart): ReturnType<typeof rowKeys> {
  const { group, measurement } = part;
  const same =
    last?.frame === frame && last.part.group === group && last.part.measurement === measurement;
  if (last !== undefined && same) return last.keys;
  const { runId, testType } = frame.facts;
  const keys = rowKeys({ runId, testType, cluster: frame.cluster, group, measurement });
  last = { frame, part, keys };
  return keys;
}
