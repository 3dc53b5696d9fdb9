import { join } from 'node:path';
import { readRows } from '../../workload/results/jsonl-store.js';

/** Rows of a run folder without what differs from run to run: who, what, and how it came out. */
export async function comparableRows(folder: string): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const line of readRows(join(folder, 'rows.jsonl'))) {
    if (!line.ok) throw new Error(line.reason);
    const { cluster, group, measurement, status, meshscale, result } = line.row;
    const { kind, phase = '', state, verdict = '', unit } = meshscale;
    const labels = JSON.stringify(result['labels'] ?? {});
    const parts = [cluster, group, measurement, kind, phase, labels, unit, status, state, verdict];
    found.push(parts.join(' '));
  }
  return found.sort();
}
