import { readdirSync, type Dirent } from 'node:fs';
import { errorCode } from '../platform/files.js';
import { parseSummaryName, type SummaryName } from './file-name.js';
import { knownFile, type KnownFile } from './known-files.js';

/** One file of a report folder, by what its name says. */
export type ReportFile =
  | { readonly kind: 'junit'; readonly name: string }
  | { readonly kind: 'summary'; readonly name: string; readonly summary: SummaryName }
  | { readonly kind: 'event'; readonly name: string; readonly known: KnownFile }
  /** Read by people, not by us: generated configs, logs, snapshots. */
  | { readonly kind: 'side'; readonly name: string }
  | { readonly kind: 'unknown'; readonly name: string; readonly reason: string };

/** A report folder as it was found. */
export type ReportFolder =
  | { readonly state: 'missing' }
  | { readonly state: 'found'; readonly path: string; readonly files: readonly ReportFile[] };

/**
 * Lists a report folder without opening anything, sorted by name. Links and other things that are no
 * plain file are `unknown` with the reason; folders inside are left alone.
 */
export function listReportFolder(path: string, testNames: readonly string[] = []): ReportFolder {
  const entries = entriesIn(path);
  if (entries === undefined) return { state: 'missing' };
  const tests = [...testNames, ...generatedConfigTests(entries.map(({ name }) => name))];
  const files = entries
    .filter((entry) => !entry.isDirectory())
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((entry) => classify(entry, tests));
  return { state: 'found', path, files };
}

/** What lies in a folder; undefined when there is none. */
export function entriesIn(path: string): readonly Dirent[] | undefined {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** `generatedConfig_<test>.yaml` names the test even when there is no junit. */
function generatedConfigTests(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => /^generatedConfig_(.+)\.yaml$/.exec(name)?.[1] ?? []);
}

function classify(entry: Dirent, tests: readonly string[]): ReportFile {
  const { name } = entry;
  if (!entry.isFile()) return { kind: 'unknown', name, reason: 'a link or no plain file' };
  if (SIDE.test(name)) return { kind: 'side', name };
  if (name === 'junit.xml') return { kind: 'junit', name };
  const known = knownFile(name);
  if (known !== undefined) return { kind: 'event', name, known };
  const summary = name.endsWith('.json') ? parseSummaryName(name, tests) : undefined;
  if (summary !== undefined) return { kind: 'summary', name, summary };
  return { kind: 'unknown', name, reason: 'no name that we know' };
}

/** @see data/results-schema.md §1 */
const SIDE =
  /^(generatedConfig_.*\.yaml|cl2-metadata\.json|.*\.(log|txt|pprof|tar\.gz|part)|worker-status-.*\.json|.*Evidence\.json|outcome\.json)$/;
