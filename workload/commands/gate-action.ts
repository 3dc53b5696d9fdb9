import { join, resolve } from 'node:path';
import { exitOf, type Judgement } from '../../model/verdict.js';
import { noVerdict } from '../compare/errors.js';
import { rowsAt } from '../compare/find-runs.js';
import { gateDocument } from '../compare/formats/document.js';
import { gateMarkdown, gateTable } from '../compare/formats/gate-text.js';
import { worseValues } from '../compare/worse-values.js';
import { gateJunit } from '../compare/formats/junit.js';
import { checkThresholds, notCompared, type Check } from '../compare/gate.js';
import { readSeries } from '../compare/series.js';
import { readThresholds } from '../compare/thresholds.js';
import { loadCatalogue } from '../measure/catalogue.js';
import { readIfThere } from '../platform/files.js';
import { readVerdict } from '../results/read-results.js';
import { shippedFolders } from '../scenario/folders.js';
import { baselineOf, comparisonOf } from './compare-action.js';
import type { CommandContext } from './context.js';
import { resultFormat } from './result-format.js';
import { folderNamed } from './run-folder.js';

/** What `meshscale gate` was asked for. */
export interface GateFlags {
  readonly baseline?: string;
  readonly thresholds?: string;
  readonly format: string;
}

/** Judges a run for a pipeline. Throws `UserError` for what cannot be read. */
export async function gate(run: string, flags: GateFlags, context: CommandContext): Promise<void> {
  const format = resultFormat(flags.format, ['table', 'markdown', 'junit'], context);
  const path = folderNamed(run, context.cwd);
  const judgement = await judgementOf(path, flags.thresholds !== undefined);
  const checks = await checksOf(path, flags, context.cwd);
  const word = judgement?.verdict ?? 'none';
  if (format === 'json') context.output.json(gateDocument(path, word, checks));
  else context.output.data(TEXTS[format](path, word, checks));
  if (judgement !== undefined) context.exitWith(exitOf(judgement));
  if (checks.some(({ state }) => state !== 'held')) context.exitWith('not-good-enough');
}

const TEXTS = {
  table: gateTable,
  markdown: gateMarkdown,
  junit: gateJunit,
} as const;

/** Rows of other tools have no verdict; then thresholds must say what is good. */
async function judgementOf(path: string, mayLack: boolean): Promise<Judgement | undefined> {
  if (await hasVerdict(path)) return (await readVerdict(path)).judgement;
  if (mayLack) return undefined;
  throw noVerdict(path);
}

async function hasVerdict(path: string): Promise<boolean> {
  try {
    return (await readIfThere(join(path, 'verdict.json'))) !== undefined;
  } catch {
    return false; // the path is a file of rows
  }
}

async function checksOf(
  path: string,
  { thresholds: file, baseline }: GateFlags,
  cwd: string,
): Promise<readonly Check[]> {
  const thresholds = file === undefined ? undefined : await readThresholds(resolve(cwd, file));
  if (baseline !== undefined) {
    const before = await baselineOf(path, baseline, cwd);
    const comparison = await comparisonOf({ before, after: path, thresholds });
    return thresholds === undefined ? worseValues(comparison) : comparison.checks;
  }
  if (thresholds === undefined) return [];
  const catalogue = [...(await loadCatalogue(shippedFolders().measurements)).byId.values()];
  const names = new Map(catalogue.map(({ id, metricName }) => [id, metricName]));
  const relative = thresholds.filter((one) => one.worseBy !== undefined).map(notCompared);
  return [...checkThresholds(await readSeries(await rowsAt(path)), thresholds, names), ...relative];
}
