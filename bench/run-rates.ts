/*
 * What a run asks of its clusters and what it gets, and what the runner itself takes for it.
 * Run: node bin/meshscale.js up --clusters N --state DIR, then
 * npx tsx bench/run-rates.ts DIR [changes per second …]   (20 100 500: 3 minutes)
 * Each rate is one event-throughput with at most 400 Deployments and as many restarts, without its pauses.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSecondsOf, memoryMibOf } from './process-cost.js';

const [stateDir = '', ...rates] = process.argv.slice(2);
const SECONDS_OF_LOAD = 5;
/** More would measure for minutes how fast two cores delete. */
const MOST_DEPLOYMENTS = 400;
const NAMESPACES = 5;
/** How often the runner's memory and CPU time are read; the last look misses at most this much. */
const LOOK_MS = 100;

for (const rate of rates.length > 0 ? rates.map(Number) : [20, 100, 500]) await measure(rate);

async function measure(rate: number): Promise<void> {
  const out = mkdtempSync(join(tmpdir(), 'meshscale-rates-'));
  try {
    const runner = await run(['run', 'event-throughput', '--out', out, ...settings(rate)]);
    print(`\n${rate} changes/s asked of each cluster: exit code ${runner.code}`);
    for (const line of achieved(out)) print(`  ${line}`);
    const { cpuSeconds, peakMib, wallSeconds } = runner;
    print(
      `  runner: peak ${peakMib.toFixed(0)} MiB, ${cpuSeconds.toFixed(1)} CPU-s in ${wallSeconds.toFixed(1)} s`,
    );
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

function settings(rate: number): string[] {
  const deployments = Math.min(MOST_DEPLOYMENTS, rate * SECONDS_OF_LOAD);
  const knobs = {
    apiServerCallsPerSecond: rate,
    namespaces: NAMESPACES,
    globalNamespaceCount: 0,
    deploymentsPerNamespace: Math.ceil(deployments / NAMESPACES),
    replicasPerDeployment: 1,
    warmupDuration: '5s',
    holdDuration: '5s',
    probeCount: 0,
  };
  const sets = Object.entries(knobs).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
  return ['--state', stateDir, ...sets];
}

interface Runner {
  readonly code: number;
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  readonly peakMib: number;
}

async function run(args: readonly string[]): Promise<Runner> {
  const start = process.hrtime.bigint();
  const child = spawn(process.execPath, ['bin/meshscale.js', ...args, '--quiet'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise<number>((resolve) => {
    child.once('close', (code) => {
      resolve(code ?? -1);
    });
  });
  let seen = { cpuSeconds: Number.NaN, peakMib: Number.NaN };
  const watching = new AbortController();
  const watch = (async () => {
    while (!watching.signal.aborted) {
      seen = costOf(child.pid) ?? seen;
      await sleep(LOOK_MS);
    }
  })();
  const code = await ended;
  watching.abort();
  await watch;
  return { code, ...seen, wallSeconds: Number(process.hrtime.bigint() - start) / 1e9 };
}

/** Undefined for one that has ended: it has no memory any more, and then no file either. */
function costOf(pid: number | undefined): { cpuSeconds: number; peakMib: number } | undefined {
  try {
    const peakMib = memoryMibOf(pid ?? 0, 'VmHWM');
    if (Number.isNaN(peakMib)) return undefined;
    return { cpuSeconds: cpuSecondsOf(pid ?? 0), peakMib };
  } catch {
    return undefined;
  }
}

interface StimulusRow {
  readonly cluster: string;
  readonly measurement: string;
  readonly result: {
    readonly data: { readonly asked: number; readonly achieved: number | null };
    readonly labels?: { readonly Phase?: string };
  };
}

function achieved(out: string): string[] {
  const [folder = ''] = readdirSync(out);
  const lines = readFileSync(join(out, folder, 'rows.jsonl'), 'utf8')
    .trimEnd()
    .split('\n');
  return lines
    .map((line) => JSON.parse(line) as StimulusRow)
    .filter(({ measurement }) => measurement === 'StimulusAchieved')
    .map(({ cluster, result: { data, labels } }) => {
      const share = data.achieved === null ? '' : ` (${percent(data.achieved / data.asked)})`;
      const rate = data.achieved === null ? 'unknown' : data.achieved.toFixed(1);
      return `${cluster} ${labels?.Phase ?? ''}: ${rate}/s of ${data.asked}/s${share}`;
    });
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

function print(line: string): void {
  const load = loadavg()[0]?.toFixed(1) ?? '?';
  process.stdout.write(line.startsWith('\n') ? `${line} (load ${load})\n` : `${line}\n`);
}
