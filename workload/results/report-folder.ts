import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
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

/** Bigger files are named and not read: one summary of a large mesh has 1–2 MB. Our choice. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;

/**
 * Lists a report folder without opening anything, sorted by name. Links, other things that are no
 * plain file, and files beyond {@link MAX_FILE_BYTES} are `unknown` with the reason; folders inside
 * are left alone.
 */
export async function listReportFolder(
  path: string,
  testNames: readonly string[] = [],
): Promise<ReportFolder> {
  const names = await namesIn(path);
  if (names === undefined) return { state: 'missing' };
  const tests = [...testNames, ...generatedConfigTests(names)];
  const files: ReportFile[] = [];
  for (const name of [...names].sort()) {
    const file = await classify(path, name, tests);
    if (file !== undefined) files.push(file);
  }
  return { state: 'found', path, files };
}

async function namesIn(path: string): Promise<readonly string[] | undefined> {
  try {
    return await readdir(path);
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

async function classify(
  folder: string,
  name: string,
  tests: readonly string[],
): Promise<ReportFile | undefined> {
  const facts = await lstat(join(folder, name));
  if (facts.isDirectory()) return undefined;
  if (!facts.isFile()) return { kind: 'unknown', name, reason: 'a link or no plain file' };
  if (SIDE.test(name)) return { kind: 'side', name };
  if (facts.size > MAX_FILE_BYTES) {
    return { kind: 'unknown', name, reason: `${facts.size} bytes, more than ${MAX_FILE_BYTES}` };
  }
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
