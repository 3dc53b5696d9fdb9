import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Inventory } from '../../model/inventory.js';
import { errorCode } from '../platform/files.js';
import { clusterNameNeeded, noReportFolder } from './errors.js';
import { listReportFolder } from './report-folder.js';
import type { AttemptFolder, RunFacts } from './run-facts.js';
import type { SuiteScenario } from './suite-folder.js';

/** A folder that some other tool, or ClusterLoader2 by hand, left. */
export interface ForeignFolder {
  readonly path: string;
  /** Given by `--cluster`. @default - the folder's sub-folders are the clusters */
  readonly cluster?: string | undefined;
  readonly inventory?: Inventory | undefined;
  /** What its suite says, for a folder that is one scenario of several. */
  readonly suite?: SuiteScenario | undefined;
}

/**
 * The facts of a foreign folder: one report folder with the name of its cluster, or a folder with one
 * report folder (or `attempt-<n>/report` folders) per cluster. Nothing but the layout and the
 * inventory is known, so workload numbers are null. Throws `UserError`.
 */
export async function foreignFacts(folder: ForeignFolder): Promise<RunFacts> {
  const { path, cluster, inventory, suite } = folder;
  const attempts = await attemptsIn(path, cluster);
  const found = [...new Set(attempts.map((attempt) => attempt.cluster))].sort();
  const expected = inventory?.clusters.map(({ role, ciliumVersion }) => ({ role, ciliumVersion }));
  const clusters = expected ?? found.map((role) => ({ role }));
  return {
    runId: basename(suite === undefined ? path : dirname(path)),
    runUrl: '',
    scenario: basename(path),
    testType: basename(path),
    group: basename(path),
    target: inventory?.target ?? 'unknown',
    engine: 'clusterloader2',
    startedAt: suite?.startedAt ?? '',
    triggerReason: '',
    meshSize: inventory?.expectedClusters ?? clusters.length,
    shape: { namespaces: null, deploymentsPerNamespace: null, replicasPerDeployment: null },
    clusters,
    expected: [],
    notApplicable: [],
    unmetNeeds: [],
    rules: [],
    attempts,
    probes: { lines: [], floor: [], expected: false, problems: [] },
    ours: false,
    validity: suite?.validity,
  };
}

async function attemptsIn(
  path: string,
  cluster: string | undefined,
): Promise<readonly AttemptFolder[]> {
  const folders = await subFolders(path);
  if (folders === undefined) throw noReportFolder(path);
  if (cluster !== undefined) return await attemptsOf(cluster, path);
  if (holdsReport(path)) throw clusterNameNeeded(path);
  const perCluster = await Promise.all(folders.map((name) => attemptsOf(name, join(path, name))));
  const attempts = perCluster.flat();
  if (attempts.length === 0) throw noReportFolder(path);
  return attempts;
}

/** `attempt-<n>/report`, `attempt-<n>`, or the folder itself. */
async function attemptsOf(cluster: string, path: string): Promise<readonly AttemptFolder[]> {
  const found: AttemptFolder[] = [];
  for (const name of (await subFolders(path)) ?? []) {
    const attempt = /^attempt-(\d+)$/.exec(name)?.[1];
    if (attempt === undefined) continue;
    const inner = join(path, name, 'report');
    const report = (await subFolders(inner)) === undefined ? join(path, name) : inner;
    found.push({ cluster, attempt: Number(attempt), report });
  }
  return found.length > 0 ? found : [{ cluster, attempt: 1, report: path }];
}

function holdsReport(path: string): boolean {
  const listing = listReportFolder(path);
  if (listing.state === 'missing') return false;
  return listing.files.some((file) => file.kind === 'junit' || file.kind === 'summary');
}

/** Links are not followed. Undefined: there is no such folder. */
async function subFolders(path: string): Promise<readonly string[] | undefined> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}
