import { z } from 'zod';
import { ROW_SCHEMA_VERSION, rowSchema, type Row } from '../../model/row.js';
import { isRecord } from './is-record.js';

/**
 * Whether a value is a row, exactly as `rowSchema` says. Written out field by field, because a run of
 * 100 clusters has 50,000 rows and a schema library took longer for them than all the rest; a test
 * compares the two with rows of every kind of damage.
 */
export function isRow(value: unknown): value is Row {
  if (!isRecord(value)) return false;
  const row: Loose<Row> = value;
  const own =
    isText(row.timestamp) &&
    (row.status === 'success' || row.status === 'failure') &&
    isText(row.group) &&
    isText(row.measurement) &&
    isRecord(row.result) &&
    isText(row.cloud_info) &&
    isText(row.run_id) &&
    isText(row.run_url) &&
    isText(row.test_type) &&
    isText(row.start_timestamp) &&
    isText(row.cluster) &&
    isWhole(row.mesh_size) &&
    isWhole(row.cluster_count) &&
    hasShape(row) &&
    hasValidity(row) &&
    areDetails(row.test_details) &&
    areAdditions(row.meshscale);
  return own && hasOnly(value, ROW_FIELDS);
}

/** Why a value is no row: the place, and what is wrong there. Undefined for a row. */
export function rowProblem(value: unknown): { place: string; message: string } | undefined {
  const found = rowSchema.safeParse(value);
  if (found.success) return undefined;
  const [issue] = found.error.issues;
  return { place: issue?.path.join('.') ?? '', message: issue?.message ?? '' };
}

/** The fields of a type, of which nothing is known. */
type Loose<T> = { readonly [Field in keyof T]?: unknown };
type Json = Readonly<Record<string, unknown>>;

/** Rows of one frame share this object and come one after the other: it is looked at once. */
let lastDetails: unknown;

function areDetails(value: unknown): boolean {
  if (value === lastDetails) return true;
  if (!isRecord(value)) return false;
  const details: Loose<Row['test_details']> = value;
  const fits =
    isText(details.trigger_reason) &&
    isText(details.cluster) &&
    isWhole(details.mesh_size) &&
    isWhole(details.cluster_count) &&
    hasShape(details) &&
    isCount(details.pods_per_cluster) &&
    isText(details.churn_up_duration) &&
    isText(details.churn_down_duration) &&
    (details.details === null || isText(details.details)) &&
    hasValidity(details) &&
    hasOnly(value, DETAIL_FIELDS);
  if (fits) lastDetails = value;
  return fits;
}

function areAdditions(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const own: Loose<Row['meshscale']> = value;
  const fits =
    own.schemaVersion === ROW_SCHEMA_VERSION &&
    isText(own.kind) &&
    KINDS.has(own.kind) &&
    isText(own.run) &&
    isWhole(own.attempt) &&
    isText(own.stamp) &&
    isText(own.engine) &&
    isText(own.target) &&
    isTextOrNot(own.phase) &&
    isTextOrNot(own.source_cluster) &&
    isTextOrNot(own.target_cluster) &&
    isText(own.state) &&
    STATES.has(own.state) &&
    isTextOrNot(own.reason) &&
    isText(own.unit) &&
    (own.samples === undefined || isWhole(own.samples)) &&
    isTextOrNot(own.cilium_version) &&
    typeof own.valid === 'boolean' &&
    areTexts(own.invalid_reasons) &&
    isText(own.key);
  return fits && isWindow(own.window) && isCoverage(own.coverage) && isVerdict(own.verdict)
    ? hasOnly(value, ADDITION_FIELDS)
    : false;
}

function isVerdict(value: unknown): boolean {
  return value === undefined || (isText(value) && VERDICTS.has(value));
}

function isWindow(value: unknown): boolean {
  if (value === undefined) return true;
  if (!isRecord(value)) return false;
  return isText(value['start']) && isText(value['end']) && Object.keys(value).length === 2;
}

function isCoverage(value: unknown): boolean {
  if (value === undefined) return true;
  if (!isRecord(value)) return false;
  const counts = [value['expected'], value['present'], value['empty']];
  return counts.every(isWhole) && Object.keys(value).length === counts.length;
}

function hasShape(value: Loose<Row['test_details']> | Loose<Row>): boolean {
  return (
    isCount(value.namespaces) &&
    isCount(value.deployments_per_namespace) &&
    isCount(value.replicas_per_deployment) &&
    isCount(value.churn_cycles) &&
    isCount(value.kill_duration_seconds) &&
    isCount(value.kill_interval_seconds) &&
    isCount(value.kill_batch)
  );
}

function hasValidity(value: Loose<Row['test_details']> | Loose<Row>): boolean {
  const { measurement_invalid_reasons: reasons } = value;
  return (
    (value.measurement_valid === undefined || typeof value.measurement_valid === 'boolean') &&
    (reasons === undefined || areTexts(reasons)) &&
    isFlagOrNot(value.suite_continue) &&
    isFlagOrNot(value.infrastructure_healthy) &&
    isFlagOrNot(value.recovery_valid)
  );
}

/** True when every field is one that a schema names; the required ones are known to be there. */
function hasOnly(value: Json, { required, optional }: Fields): boolean {
  let known = required;
  for (const name of optional) if (name in value) known += 1;
  return Object.keys(value).length === known;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTextOrNot(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function isWhole(value: unknown): boolean {
  return Number.isSafeInteger(value);
}

function isCount(value: unknown): boolean {
  return value === null || Number.isFinite(value);
}

function isFlagOrNot(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'boolean';
}

function areTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

interface Fields {
  /** How many there are. */
  readonly required: number;
  /** Their names. */
  readonly optional: readonly string[];
}

function fieldsOf(shape: Readonly<Record<string, z.ZodType>>): Fields {
  const fields = Object.entries(shape);
  const optional = fields.filter(([, type]) => type instanceof z.ZodOptional);
  return { required: fields.length - optional.length, optional: optional.map(([name]) => name) };
}

const { test_details: detailsShape, meshscale: additionsShape } = rowSchema.shape;
const ROW_FIELDS = fieldsOf(rowSchema.shape);
const DETAIL_FIELDS = fieldsOf(detailsShape.shape);
const ADDITION_FIELDS = fieldsOf(additionsShape.shape);
const KINDS: ReadonlySet<string> = new Set(additionsShape.shape.kind.options);
const STATES: ReadonlySet<string> = new Set(additionsShape.shape.state.options);
const VERDICTS: ReadonlySet<string> = new Set(additionsShape.shape.verdict.unwrap().options);
