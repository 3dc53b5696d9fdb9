import { resolve } from 'node:path';
import type { ExitWord } from '../../model/exit-codes.js';
import { compareRuns, type Comparison } from '../compare/compare-runs.js';
import { directionsOf } from '../compare/direction.js';
import { baselineNeeded, noGoodRun } from '../compare/errors.js';
import { goodRunsBefore, rowsAt } from '../compare/find-runs.js';
import { comparisonMarkdown, comparisonTable } from '../compare/formats/comparison-text.js';
import { comparisonDocument } from '../compare/formats/document.js';
import { comparisonJunit } from '../compare/formats/junit.js';
import { noiseOf, type Noise } from '../compare/noise.js';
import { readSeries, type RunSeries } from '../compare/series.js';
import { readThresholds, type Threshold } from '../compare/thresholds.js';
import { loadCatalogue } from '../measure/catalogue.js';
import { shippedFolders } from '../scenario/folders.js';
import type { CommandContext } from './context.js';
import { resultFormat } from './result-format.js';
import { folderNamed } from './run-folder.js';

/** What `meshscale compare` was asked for. */
export interface CompareFlags {
  readonly baseline?: string;
  readonly thresholds?: string;
  readonly format: string;
}

/** Compares two runs and tells it. Throws `UserError` for what cannot be compared. */
export async function compare(
  asked: {
    readonly before: string;
    readonly after?: string | undefined;
    readonly flags: CompareFlags;
  },
  context: CommandContext,
): Promise<void> {
  const { flags } = asked;
  const format = resultFormat(flags.format, ['table', 'markdown', 'junit'], context);
  const [before, after] = await pairOf(asked, context);
  const file = flags.thresholds;
  const thresholds =
    file === undefined ? undefined : await readThresholds(resolve(context.cwd, file));
  const comparison = await comparisonOf({ before, after, thresholds });
  if (format === 'json') context.output.json(comparisonDocument(comparison));
  else context.output.data(TEXTS[format](comparison));
  context.exitWith(exitOf(comparison));
}

/** Compares the runs that lie at two paths. */
export async function comparisonOf({
  before,
  after,
  thresholds,
}: {
  readonly before: string;
  readonly after: string;
  readonly thresholds: readonly Threshold[] | undefined;
}): Promise<Comparison> {
  const catalogue = [...(await loadCatalogue(shippedFolders().measurements)).byId.values()];
  return compareRuns(await seriesAt(before), await seriesAt(after), {
    directions: directionsOf(catalogue),
    noise: await noiseAround(before, after),
    thresholds,
    names: new Map(catalogue.map(({ id, metricName }) => [id, metricName])),
  });
}

/** The run that `--baseline` means for `run`. Throws collect/no-baseline when none was good. */
export async function baselineOf(run: string, baseline: string, cwd: string): Promise<string> {
  if (baseline !== 'last-good') return folderNamed(baseline, cwd);
  const [good] = await goodRunsBefore(run);
  if (good !== undefined) return good;
  const { scenario } = await seriesAt(run);
  throw noGoodRun(scenario, resolve(run, '..'));
}

const TEXTS = {
  table: comparisonTable,
  markdown: comparisonMarkdown,
  junit: comparisonJunit,
} as const;

async function pairOf(
  asked: {
    readonly before: string;
    readonly after?: string | undefined;
    readonly flags: CompareFlags;
  },
  { cwd }: CommandContext,
): Promise<readonly [before: string, after: string]> {
  const first = folderNamed(asked.before, cwd);
  const { baseline } = asked.flags;
  if (asked.after !== undefined && baseline === undefined)
    return [first, folderNamed(asked.after, cwd)];
  if (asked.after !== undefined || baseline === undefined) throw baselineNeeded(asked.before);
  return [await baselineOf(first, baseline, cwd), first];
}

async function seriesAt(path: string): Promise<RunSeries> {
  return await readSeries(await rowsAt(path));
}

/** More tell hardly more, and each is read whole. Our choice. */
const MOST_REPEATED = 10;

async function noiseAround(before: string, after: string): Promise<Noise> {
  const earlier = (await goodRunsBefore(before)).filter((run) => run !== after);
  if (earlier.length === 0) return noiseOf([]);
  const runs: RunSeries[] = [];
  for (const run of [before, ...earlier].slice(0, MOST_REPEATED)) runs.push(await seriesAt(run));
  return noiseOf(runs);
}

function exitOf({ verdict }: Comparison): ExitWord {
  switch (verdict) {
    case 'same':
      return 'good';
    case 'worse':
      return 'not-good-enough';
    case 'incomparable':
      return 'cannot-judge';
  }
}
