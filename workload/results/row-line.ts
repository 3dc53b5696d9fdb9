import type { Row } from '../../model/row.js';
import { quoted } from '../../model/quoted.js';

/**
 * A row as the line of a file, exactly as `JSON.stringify` of its schema's fields in their order. The
 * fixed shape is written by hand: of the 1 kB of a row, nearly all is the same in all rows of a cluster.
 */
export function rowLine(row: Row): string {
  return `${headText(row)}${JSON.stringify(row.result)},${middleText(row)}${additionsText(row.meshscale)}}`;
}

let lastHead: Row | undefined;
let lastHeadText = '';

/** Up to the result: the same for all rows of one measurement. */
function headText(row: Row): string {
  if (lastHead !== undefined && sameHead(row, lastHead)) return lastHeadText;
  lastHeadText = inOnePiece(
    `{"timestamp":${quoted(row.timestamp)},"status":"${row.status}",` +
      `"group":${quoted(row.group)},"measurement":${quoted(row.measurement)},"result":`,
  );
  lastHead = row;
  return lastHeadText;
}

function sameHead(row: Row, other: Row): boolean {
  return (
    row.timestamp === other.timestamp &&
    row.status === other.status &&
    row.group === other.group &&
    row.measurement === other.measurement
  );
}

let lastRow: Row | undefined;
let lastMiddle = '';

/** From `test_details` to the name `meshscale`: written once for rows that share it all. */
function middleText(row: Row): string {
  if (lastRow !== undefined && sameMiddle(row, lastRow)) return lastMiddle;
  lastMiddle = inOnePiece(
    `"test_details":${JSON.stringify(row.test_details)},` +
      `"cloud_info":${quoted(row.cloud_info)},"run_id":${quoted(row.run_id)},` +
      `"run_url":${quoted(row.run_url)},"test_type":${quoted(row.test_type)},` +
      `"start_timestamp":${quoted(row.start_timestamp)},"cluster":${quoted(row.cluster)},` +
      `"mesh_size":${row.mesh_size},"cluster_count":${row.cluster_count},` +
      `"namespaces":${row.namespaces},` +
      `"deployments_per_namespace":${row.deployments_per_namespace},` +
      `"replicas_per_deployment":${row.replicas_per_deployment},` +
      `"churn_cycles":${row.churn_cycles},"kill_duration_seconds":${row.kill_duration_seconds},` +
      `"kill_interval_seconds":${row.kill_interval_seconds},"kill_batch":${row.kill_batch},` +
      `${validityText(row)}"meshscale":`,
  );
  lastRow = row;
  return lastMiddle;
}

function sameMiddle(row: Row, other: Row): boolean {
  return (
    row.test_details === other.test_details &&
    row.cloud_info === other.cloud_info &&
    row.run_id === other.run_id &&
    row.run_url === other.run_url &&
    row.test_type === other.test_type &&
    row.start_timestamp === other.start_timestamp &&
    row.cluster === other.cluster &&
    row.mesh_size === other.mesh_size &&
    row.cluster_count === other.cluster_count &&
    row.namespaces === other.namespaces &&
    row.deployments_per_namespace === other.deployments_per_namespace &&
    row.replicas_per_deployment === other.replicas_per_deployment &&
    row.churn_cycles === other.churn_cycles &&
    row.kill_duration_seconds === other.kill_duration_seconds &&
    row.kill_interval_seconds === other.kill_interval_seconds &&
    row.kill_batch === other.kill_batch &&
    validityText(row) === validityText(other)
  );
}

type Additions = Row['meshscale'];

function additionsText(own: Additions): string {
  return (
    originText(own) +
    optional('phase', own.phase) +
    optional('source_cluster', own.source_cluster) +
    optional('target_cluster', own.target_cluster) +
    optional('verdict', own.verdict) +
    `"state":"${own.state}",${optional('reason', own.reason)}"unit":${quoted(own.unit)},` +
    optional('window', own.window) +
    optional('samples', own.samples) +
    optional('coverage', own.coverage) +
    optional('cilium_version', own.cilium_version) +
    `"valid":${own.valid},"invalid_reasons":${listText(own.invalid_reasons)},` +
    `"key":${quoted(own.key)}}`
  );
}

let lastOrigin: Additions | undefined;
let lastOriginText = '';

/** Where a row is from: the same for all rows of one file, which come one after the other. */
function originText(own: Additions): string {
  if (lastOrigin !== undefined && sameOrigin(own, lastOrigin)) return lastOriginText;
  lastOriginText = inOnePiece(
    `{"schemaVersion":${own.schemaVersion},"kind":"${own.kind}","run":${quoted(own.run)},` +
      `"attempt":${own.attempt},"stamp":${quoted(own.stamp)},"engine":${quoted(own.engine)},` +
      `"target":${quoted(own.target)},`,
  );
  lastOrigin = own;
  return lastOriginText;
}

function sameOrigin(own: Additions, other: Additions): boolean {
  return (
    own.kind === other.kind &&
    own.run === other.run &&
    own.attempt === other.attempt &&
    own.stamp === other.stamp &&
    own.engine === other.engine &&
    own.target === other.target
  );
}

function validityText(row: Row): string {
  return (
    optional('measurement_valid', row.measurement_valid) +
    optional('measurement_invalid_reasons', row.measurement_invalid_reasons) +
    optional('suite_continue', row.suite_continue) +
    optional('infrastructure_healthy', row.infrastructure_healthy) +
    optional('recovery_valid', row.recovery_valid)
  );
}

function optional(name: string, value: unknown): string {
  if (value === undefined) return '';
  return `"${name}":${typeof value === 'string' ? quoted(value) : JSON.stringify(value)},`;
}

/**
 * V8 keeps a text that was put together as a tree until somebody looks into it; then each line that
 * holds it would be put together from its leaves.
 */
function inOnePiece(text: string): string {
  text.charCodeAt(0);
  return text;
}

function listText(texts: readonly string[]): string {
  return texts.length === 0 ? '[]' : JSON.stringify(texts);
}
