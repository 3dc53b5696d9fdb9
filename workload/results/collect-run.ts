import { join } from 'node:path';
import type { RunVerdict } from '../../model/verdict.js';
import { writeAtomic } from '../platform/files.js';
import { COVERAGE_SCHEMA_VERSION, type CoverageFile } from './coverage-file.js';
import { openRowWriter } from './jsonl-store.js';
import type { RunFacts } from './run-facts.js';
import { collectClusters, type CollectOptions } from './to-rows.js';
import { startJudging } from './verdict.js';

/** What collecting gave, besides the rows in the file. */
export interface Collected {
  readonly rows: number;
  readonly verdict: RunVerdict;
  readonly coverage: CoverageFile;
  /** Files, and lines of files, that could not be read. */
  readonly malformed: readonly string[];
  /** Files that nobody knows. */
  readonly unknown: readonly string[];
}

/** Writes the rows of all clusters to `file` (whole or not at all) and judges them. */
export async function collectRows(
  facts: RunFacts,
  file: string,
  options: CollectOptions,
): Promise<Collected> {
  const judge = startJudging(facts);
  const writer = await openRowWriter(file);
  const malformed: string[] = [...facts.probes.problems];
  const unknown: string[] = [];
  const clusters: CoverageFile['clusters'][number][] = [];
  try {
    for (const cluster of collectClusters(facts, options)) {
      await writer.write(cluster.rows);
      judge.see(cluster);
      malformed.push(...cluster.malformed);
      unknown.push(...cluster.unknown);
      const measurements = cluster.coverage.map((one) => ({ ...one }));
      clusters.push({ cluster: cluster.cluster, measurements });
    }
    const rows = await writer.commit();
    const coverage = {
      schemaVersion: COVERAGE_SCHEMA_VERSION,
      clusters,
      malformed,
      unknown,
    } as const;
    return { rows, verdict: judge.verdict(), coverage, malformed, unknown };
  } catch (error) {
    await writer.discard();
    throw error;
  }
}

/** Collects a run folder into its own `rows.jsonl`, `coverage.json` and `verdict.json`. */
export async function collectRun(
  runFolder: string,
  facts: RunFacts,
  options: CollectOptions,
): Promise<Collected> {
  const collected = await collectRows(facts, join(runFolder, 'rows.jsonl'), options);
  await writeJson(join(runFolder, 'coverage.json'), collected.coverage);
  await writeJson(join(runFolder, 'verdict.json'), collected.verdict);
  return collected;
}

async function writeJson(file: string, value: unknown): Promise<void> {
  await writeAtomic(file, `${JSON.stringify(value, undefined, 2)}\n`);
}
