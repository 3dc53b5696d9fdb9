/*
 * What `collect` costs: CPU seconds (user and system, all threads) beyond the start of the process,
 * peak memory, and size of the result, by number of clusters. Then the same for `report`.
 * The start is the same command on the reports of one cluster: everything is loaded, almost nothing is done.
 * Run on an idle machine: npx tsx bench/collect/index.ts [N…]   (100 500: half a minute)
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../../workload/platform/random.js';
import { ROWS_PER_CLUSTER, writeReports } from './reports.js';

const TIMES = 3;
const home = mkdtempSync(join(tmpdir(), 'meshscale-bench-collect-'));
const sizes = process.argv.slice(2).map(Number);
try {
  print(`load average at start: ${loadavg()[0]?.toFixed(1) ?? '?'}`);
  print('clusters  measured    rows  MB out  CPU-s  beyond start  peak MiB  wall s');
  const start = measure(1, 0);
  for (const count of sizes.length > 0 ? sizes : [100, 500]) measure(count, start);
} finally {
  rmSync(home, { recursive: true });
}

/** The least CPU seconds of some runs; what they are more than `start` is printed. */
function measure(count: number, start: number): number {
  const reports = join(home, `reports-${count}`);
  writeReports(reports, count, seededRandom(count));
  const out = join(home, 'rows.jsonl');
  const costs = Array.from({ length: TIMES }, () => collect(reports, out));
  const cpu = Math.min(...costs.map((cost) => cost.cpuSeconds));
  const rows = readFileSync(out, 'latin1').split('\n').length - 1;
  const figures: readonly (readonly [string, number])[] = [
    [String(count), 8],
    [String(count * ROWS_PER_CLUSTER), 10],
    [String(rows), 8],
    [(statSync(out).size / 1e6).toFixed(1), 8],
    [cpu.toFixed(2), 7],
    [(cpu - start).toFixed(2), 14],
    [Math.max(...costs.map((cost) => cost.peakMib)).toFixed(0), 10],
    [Math.min(...costs.map((cost) => cost.wallSeconds)).toFixed(2), 8],
  ];
  print(figures.map(([text, width]) => text.padStart(width)).join(''));
  rmSync(reports, { recursive: true });
  return cpu;
}

interface Cost {
  readonly cpuSeconds: number;
  readonly peakMib: number;
  readonly wallSeconds: number;
}

function collect(reports: string, out: string): Cost {
  const before = process.hrtime.bigint();
  const { stderr, status } = spawnSync(
    process.execPath,
    ['--import', TELLS_ITS_COST, 'bin/meshscale.js', 'collect', reports, '--out', out, '--quiet'],
    { encoding: 'utf8', cwd: join(import.meta.dirname, '..', '..') },
  );
  const wallSeconds = Number(process.hrtime.bigint() - before) / 1e9;
  const found = /^cost (\d+) (\d+)$/m.exec(stderr);
  if (status !== 0 || found === null) throw new Error(stderr);
  const [, micros, kib] = found;
  return { cpuSeconds: Number(micros) / 1e6, peakMib: Number(kib) / 1024, wallSeconds };
}

/** Loaded before the program, so that nobody has to look at it from outside in time. */
const TELLS_ITS_COST = `data:text/javascript,${encodeURIComponent(
  `process.on('exit', () => {
    const { user, system } = process.cpuUsage();
    console.error('cost', user + system, process.resourceUsage().maxRSS);
  });`,
)}`;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
