import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Inventory } from '../../model/inventory.js';
import type { Row } from '../../model/row.js';
import { collectRows } from '../../workload/results/collect-run.js';
import { foreignFacts } from '../../workload/results/foreign-folder.js';
import { readRows } from '../../workload/results/jsonl-store.js';
import type { CollectOptions } from '../../workload/results/to-rows.js';
import { withTemporaryFolder } from './temporary-folder.js';

/** Files of report folders, by their path below the folder of all clusters. */
export type ReportFiles = Readonly<Record<string, string>>;

/** A junit file in which everything passed. */
export const GOOD_JUNIT =
  '<testsuite name="ClusterLoaderV2" tests="0" failures="0" errors="0"><testcase name="t overall (c.yaml)"/></testsuite>';

/** A query file with one value. */
export function queryFile(value: string): string {
  return `{"version":"v1","dataItems":[{"data":{"Perc99":${value}},"unit":"s"}]}`;
}

/** Writes the files below `folder`. */
export async function writeFiles(folder: string, files: ReportFiles): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** Collects a folder with one folder per cluster. */
export async function collectFolder(
  folder: string,
  { inventory, ...options }: Partial<CollectOptions> & { readonly inventory?: Inventory } = {},
) {
  return await withTemporaryFolder(async (out) => {
    const facts = await foreignFacts({ path: folder, inventory });
    const file = join(out, 'rows.jsonl');
    const collected = await collectRows(facts, file, {
      timestamp: '2026-05-15T04:00:00Z',
      ...options,
    });
    const rows: Row[] = [];
    for await (const line of readRows(file)) {
      if (!line.ok) throw new Error(line.reason);
      rows.push(line.row);
    }
    const status = new Map(
      rows.filter((row) => row.measurement === 'ClusterStatus').map((row) => [row.cluster, row]),
    );
    return { collected, rows, status, values: valuesIn(rows) };
  });
}

/** The same of files that are written for it. */
export async function collectFiles(
  files: ReportFiles,
  options: Parameters<typeof collectFolder>[1] = {},
) {
  return await withTemporaryFolder(async (folder) => {
    await writeFiles(folder, files);
    return await collectFolder(folder, options);
  });
}

/** `cluster measurement: data` of rows about measurements, faults and probes. */
function valuesIn(rows: readonly Row[]): readonly string[] {
  return rows
    .filter(({ meshscale }) => ['measurement', 'fault', 'probe'].includes(meshscale.kind))
    .map(({ cluster, measurement, result, meshscale }) => {
      const state = meshscale.state === 'present' ? '' : ` ${meshscale.state}`;
      return `${cluster} ${measurement}${state}: ${JSON.stringify(result['data'] ?? result)}`;
    });
}
