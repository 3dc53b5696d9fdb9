import { join } from 'node:path';
import type { Milliseconds } from '../../model/quantity.js';
import { ensureDirectory, writeAtomic } from '../platform/files.js';
import { utcSeconds } from './file-name.js';
import { junitText, type ReportStep } from './report-junit.js';
import type { ReportSummary } from './report-summaries.js';

/** What an engine has to say about one attempt on one cluster. */
export interface ReportContent {
  /** Test name: no `_`, `/` or `:`. */
  readonly test: string;
  /** Where the test came from, for the `overall` case: a scenario's name or file. */
  readonly source: string;
  /** How long the attempt took. */
  readonly duration: Milliseconds;
  /** In the order in which they ran; steps after the one that ended the attempt are left out. */
  readonly steps: readonly ReportStep[];
  readonly summaries: readonly ReportSummary[];
  /** When the summaries were gathered: milliseconds since 1970, UTC. */
  readonly gatheredAt: Milliseconds;
}

/**
 * Writes a report folder as ClusterLoader2 does, names and formats alike, so that one collector reads
 * both engines. Summaries come first and `junit.xml` last: a folder with it is complete. Gives the
 * names of the files. Throws what the file system throws (disk full): what was written stays.
 */
export async function writeReportFolder(
  folder: string,
  content: ReportContent,
): Promise<readonly string[]> {
  const names = await writeSummaries(folder, content);
  await writeAtomic(join(folder, 'junit.xml'), junitText(content));
  return [...names, 'junit.xml'];
}

/** Writes summary files into a folder, which may hold others. Gives their names. */
export async function writeSummaries(
  folder: string,
  { test, summaries, gatheredAt }: Pick<ReportContent, 'test' | 'summaries' | 'gatheredAt'>,
): Promise<readonly string[]> {
  await ensureDirectory(folder);
  const stamp = utcSeconds(new Date(gatheredAt).toISOString()) ?? '';
  const names: string[] = [];
  for (const { summary, data } of summaries) {
    const name = `${fileSafe(summary)}_${test}_${stamp}.json`;
    await writeAtomic(join(folder, name), `${JSON.stringify(data, undefined, 2)}\n`);
    names.push(name);
  }
  return names;
}

/** A `/` would be a folder, a line break would break listings. */
function fileSafe(summary: string): string {
  return summary.replace(/[/\\\p{Cc}]/gu, '-');
}
