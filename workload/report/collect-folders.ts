import { dirname, join } from 'node:path';
import { throwAll, userErrorsOf, type UserError } from '../../model/user-error.js';
import { readInventory } from '../inventory/read-inventory.js';
import { ensureDirectory, errorCode, readIfThere } from '../platform/files.js';
import { collectRows, type Collected } from '../results/collect-run.js';
import { clusterNameNeeded, unwritableResult } from '../results/errors.js';
import { foreignFacts } from '../results/foreign-folder.js';
import { readRun } from '../results/read-run.js';
import { suiteScenarios, type SuiteScenario } from '../results/suite-folder.js';
import type { CollectOptions } from '../results/to-rows.js';
import { writeResults } from './write-results.js';

/** What `collect` was asked for; all paths are absolute. */
export interface CollectRequest {
  readonly folders: readonly string[];
  readonly cluster: string | undefined;
  readonly inventory: string | undefined;
  readonly out: string | undefined;
  /** Where rows of foreign folders go without `out`. */
  readonly here: string;
  readonly options: CollectOptions;
}

/** The rows of one folder, and where they are. */
export type CollectedFolder = Pick<Collected, 'rows' | 'verdict' | 'malformed' | 'unknown'> & {
  readonly folder: string;
  readonly file: string;
};

/**
 * Collects run folders of ours into themselves and foreign folders into one file each. A folder that
 * cannot be collected does not keep the others from it; the errors come at the end (`UserErrors`).
 */
export async function collectFolders(request: CollectRequest): Promise<readonly CollectedFolder[]> {
  const { folders, cluster } = request;
  const [first = ''] = folders;
  if (cluster !== undefined && folders.length !== 1) throw clusterNameNeeded(first);
  const collected: CollectedFolder[] = [];
  const errors: UserError[] = [];
  const parts = folders.flatMap((folder) => partsOf(folder, cluster));
  for (const [index, part] of parts.entries()) {
    const suffix = parts.length === 1 ? '' : `-${part.suite?.scenario ?? index + 1}`;
    try {
      collected.push(await collectOne(part, suffix, request));
    } catch (error) {
      const own = userErrorsOf(told(error, request.out ?? part.folder));
      if (own.length === 0) throw error;
      errors.push(...own);
    }
  }
  throwAll(errors);
  return collected;
}

/** What is collected into one file. */
interface Part {
  readonly folder: string;
  readonly suite?: SuiteScenario;
}

/** A folder of several scenarios becomes as many parts. */
function partsOf(folder: string, cluster: string | undefined): readonly Part[] {
  const suite = cluster === undefined ? suiteScenarios(folder) : undefined;
  return suite?.map((one) => ({ folder: one.path, suite: one })) ?? [{ folder }];
}

/** What a disk refuses is not ours to mend. */
function told(error: unknown, place: string): unknown {
  const code = errorCode(error) ?? '';
  return UNWRITABLE.has(code) ? unwritableResult(place, code) : error;
}

const UNWRITABLE: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT']);

async function collectOne(
  { folder, suite }: Part,
  suffix: string,
  { cluster, inventory, out, here, options }: CollectRequest,
): Promise<CollectedFolder> {
  const isRun = (await readIfThere(join(folder, 'plan.json'))) !== undefined;
  if (isRun && cluster === undefined && out === undefined) {
    const { rows, verdict, malformed, unknown } = await writeResults(folder, options);
    return { folder, file: join(folder, 'rows.jsonl'), rows, verdict, malformed, unknown };
  }
  const facts =
    isRun && cluster === undefined
      ? (await readRun(folder)).facts
      : await foreignFacts({
          path: folder,
          cluster,
          suite,
          inventory: inventory === undefined ? undefined : await readInventory(inventory),
        });
  const base = out ?? join(here, 'rows.jsonl');
  const file = base.replace(/(\.[^./]+)?$/, (extension) => `${suffix}${extension}`);
  await ensureDirectory(dirname(file));
  const { rows, verdict, malformed, unknown } = await collectRows(facts, file, options);
  return { folder, file, rows, verdict, malformed, unknown };
}
