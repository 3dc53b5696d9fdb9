import { join } from 'node:path';
import { parseLenientJson } from './lenient-json.js';
import { readPlainFile } from './read-plain-file.js';
import { entriesIn, listReportFolder } from './report-folder.js';
import type { SuiteValidity } from './run-facts.js';
import { utcSeconds } from './file-name.js';

/** One scenario of several that ran on one provision. */
export interface SuiteScenario {
  readonly scenario: string;
  readonly path: string;
  /** UTC, whole seconds; '' when nobody wrote it down. */
  readonly startedAt: string;
  readonly validity: SuiteValidity;
}

/**
 * The scenarios of a folder `<scenario>/<role>/…`, or undefined for any other layout: a folder of
 * clusters, or the report of one. @see data/results-schema.md §1
 */
export function suiteScenarios(path: string): readonly SuiteScenario[] | undefined {
  const folders = foldersIn(path);
  // A run of ours has its clusters one level deeper, too.
  if ((entriesIn(path) ?? []).some(({ name }) => name === 'plan.json')) return undefined;
  if (holdsReport(path) || folders.some((name) => isCluster(join(path, name)))) return undefined;
  const scenarios = folders.filter((name) =>
    foldersIn(join(path, name)).some((role) => isCluster(join(path, name, role))),
  );
  if (scenarios.length === 0) return undefined;
  const starts = startsIn(path);
  return scenarios.map((scenario) => ({
    scenario,
    path: join(path, scenario),
    startedAt: starts.get(scenario) ?? '',
    validity: validityIn(join(path, scenario)),
  }));
}

/** A report folder, or one with attempts. */
function isCluster(path: string): boolean {
  return holdsReport(path) || foldersIn(path).some((name) => /^attempt-\d+$/.test(name));
}

function holdsReport(path: string): boolean {
  const listing = listReportFolder(path);
  if (listing.state === 'missing') return false;
  return listing.files.some(({ kind }) => ['junit', 'summary', 'event'].includes(kind));
}

function foldersIn(path: string): readonly string[] {
  const entries = entriesIn(path) ?? [];
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

/** From a JSON list of `{scenario, start_timestamp}` in any file of the suite's folder. */
function startsIn(path: string): ReadonlyMap<string, string> {
  const files = (entriesIn(path) ?? []).filter((one) => one.isFile() && one.name.endsWith('.json'));
  const items = files.flatMap(({ name }) => listIn(join(path, name)));
  return new Map(
    items.flatMap((item) => {
      const { scenario, start_timestamp: start } = recordOf(item);
      if (typeof scenario !== 'string' || typeof start !== 'string') return [];
      return [[scenario, utcSeconds(start) ?? start] as const];
    }),
  );
}

function listIn(file: string): readonly unknown[] {
  const value = jsonIn(file);
  return Array.isArray(value) ? value : [];
}

function jsonIn(file: string): unknown {
  const reading = readPlainFile(file);
  const json = reading.state === 'read' ? parseLenientJson(reading.text) : undefined;
  return json?.ok === true ? json.value : undefined;
}

function validityIn(path: string): SuiteValidity {
  const policy = jsonIn(join(path, 'scenario-policy.json'));
  const { measurement_valid: valid, measurement_reasons: reasons, ...others } = recordOf(policy);
  if (typeof valid !== 'boolean') return NO_POLICY;
  return {
    measurement_valid: valid,
    measurement_invalid_reasons: Array.isArray(reasons) ? reasons.map(String) : [],
    suite_continue: flagOf(others['suite_continue']),
    infrastructure_healthy: flagOf(others['infrastructure_healthy']),
    recovery_valid: flagOf(others['recovery_valid']),
  };
}

/** What consumers of such rows expect to read then. @see data/results-schema.md §2 */
const NO_POLICY: SuiteValidity = {
  measurement_valid: false,
  measurement_invalid_reasons: ['scenario policy output missing or malformed'],
  suite_continue: null,
  infrastructure_healthy: null,
  recovery_valid: null,
};

function flagOf(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null;
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
