import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isFile, readIfThere } from '../platform/files.js';
import { readRun, type RunFolder } from '../results/read-run.js';
import { readVerdict } from '../results/read-results.js';
import { noRows } from './errors.js';

/** The rows of a run folder, or the file of rows itself. Throws `UserError`. */
export async function rowsAt(path: string): Promise<string> {
  const inside = join(path, 'rows.jsonl');
  for (const file of [inside, path]) if (await isFile(file)) return file;
  throw noRows(path);
}

/**
 * Runs that lie beside `run`, of its scenario, target and number of clusters, that passed and began
 * before it; newest first. They are what a run is compared with and what noise is estimated from.
 */
export async function goodRunsBefore(run: string): Promise<readonly string[]> {
  const own = await kindOf(run);
  if (own === undefined) return [];
  const home = dirname(run);
  const names = (await readdir(home)).filter((name) => name < basename(run));
  const good: string[] = [];
  for (const name of names.sort().reverse()) {
    const path = join(home, name);
    // The verdict is one small file; a run's kind is read with all its probes.
    if ((await passed(path)) && (await kindOf(path)) === own) good.push(path);
  }
  return good;
}

/** What must be equal for two runs to answer the same question; undefined: no run of ours. */
async function kindOf(path: string): Promise<string | undefined> {
  const run = await runAt(path);
  if (run === undefined) return undefined;
  const { scenario, target, engine, meshSize } = run.facts;
  return JSON.stringify([scenario, target, engine, meshSize]);
}

/** Folders that are no runs, or runs of other releases, are no candidates. */
async function runAt(path: string): Promise<RunFolder | undefined> {
  try {
    if ((await readIfThere(join(path, 'plan.json'))) === undefined) return undefined;
    return await readRun(path);
  } catch {
    return undefined;
  }
}

async function passed(path: string): Promise<boolean> {
  try {
    const { judgement } = await readVerdict(path);
    return judgement.verdict === 'pass' && (await isFile(join(path, 'rows.jsonl')));
  } catch {
    return false;
  }
}
