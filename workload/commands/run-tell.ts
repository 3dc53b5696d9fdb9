import { join } from 'node:path';
import { leftoversOf } from '../exec/clean-clusters.js';
import type { CommandContext } from './context.js';
import type { ExecutedRun } from './perform-run.js';

/** Prints how runs came out and where everything stands. */
export function tellRuns(runs: readonly ExecutedRun[], context: CommandContext): void {
  if (runs.length === 0) return;
  if (context.wantsJson()) {
    const documents = runs.map(({ folder, end, results }) => ({
      schemaVersion: 1,
      folder,
      report: join(folder, 'report.html'),
      interrupted: end.interrupted,
      left: leftoversOf(end.cleaned),
      rows: results.rows,
      verdict: results.verdict,
    }));
    context.output.json(documents.length === 1 ? documents[0] : documents);
    return;
  }
  for (const { folder, results } of runs) {
    context.output.data(results.summary.trimEnd());
    context.output.data(`Report: ${join(folder, 'report.html')}`);
  }
}
