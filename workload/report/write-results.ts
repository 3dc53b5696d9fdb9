import { dirname, join } from 'node:path';
import { ensureDirectory, writeAtomic } from '../platform/files.js';
import { collectRun, type Collected } from '../results/collect-run.js';
import { readRun } from '../results/read-run.js';
import type { CollectOptions } from '../results/to-rows.js';
import { reportPage } from './html-page.js';
import { verdictJunit } from './junit.js';
import { loadReport } from './load-report.js';
import type { ReportModel } from './report-model.js';
import { summaryText } from './summary-text.js';

/** A finished run folder. */
export interface WrittenResults extends Collected {
  readonly model: ReportModel;
  /** The text of `summary.txt`. */
  readonly summary: string;
}

/**
 * Makes everything that stands at the top of a run folder from what its engines and probes left:
 * rows, coverage, verdict, junit, summary, report. Can be run again at any time.
 */
export async function writeResults(
  runFolder: string,
  options: CollectOptions,
): Promise<WrittenResults> {
  const { facts } = await readRun(runFolder);
  const collected = await collectRun(runFolder, facts, options);
  await writeAtomic(join(runFolder, 'junit.xml'), verdictJunit(collected.verdict));
  const model = await loadReport(runFolder);
  const summary = summaryText(model);
  await writeAtomic(join(runFolder, 'summary.txt'), summary);
  await writeReport(model, join(runFolder, 'report.html'));
  return { ...collected, model, summary };
}

/** Writes the page of a report to `file`. */
export async function writeReport(model: ReportModel, file: string): Promise<void> {
  await ensureDirectory(dirname(file));
  await writeAtomic(file, reportPage(model));
}
