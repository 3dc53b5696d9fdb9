/*
 * Times how soon the peers of a local mesh see a change, stage by stage, and the tool's own share.
 * Run: node bin/meshscale.js up --clusters 2 --state DIR, then
 * node --import tsx bench/propagation.ts DIR [probes] [interval in ms]
 */
import { loadavg } from 'node:os';
import type { Quantiles } from '../model/percentiles.js';
import { systemClock } from '../workload/platform/clock.js';
import { measureProbeFloor } from '../workload/probe/measure-floor.js';
import { runPropagationProbes } from '../workload/probe/run-propagation-probes.js';
import { openLocalClusters } from './local-clusters.js';

const [stateDir = '', probes = '20', interval = '1000'] = process.argv.slice(2);
const FLOOR_SAMPLES = 100;
const BUDGET_MS = 30_000;
const { signal } = new AbortController();
const clock = systemClock;

const local = await openLocalClusters(stateDir, 'ms-bench-1');
const { clusters, namespace } = local;
try {
  for (const cluster of clusters) {
    const floor = await measureProbeFloor({ cluster, samples: FLOOR_SAMPLES, clock, signal });
    print(`floor at ${cluster.role}`, floor.quantiles, floor.reason);
  }
  for (const stimulus of ['pod', 'endpoint-slice'] as const) await runSeries(stimulus);
} finally {
  await local.close();
}

async function runSeries(stimulus: 'pod' | 'endpoint-slice'): Promise<void> {
  const summary = await runPropagationProbes({
    ...{ clusters, clock, signal, namespace, labels: {}, onResult: () => undefined },
    plan: {
      kind: stimulus === 'pod' ? ['service-backend', 'endpoint-address'] : 'service-backend',
      count: Number(probes),
      intervalMs: Number(interval),
      budgetMs: BUDGET_MS,
      id: stimulus,
      stimulus,
    },
  });
  const { figures, ...counts } = summary;
  process.stdout.write(`\n${stimulus}: ${JSON.stringify(counts)}\n`);
  for (const { observe, stage, ...found } of figures) print(`${observe} ${stage}`, found);
}

function print(name: string, found: Quantiles | undefined, reason = ''): void {
  const figures =
    found === undefined
      ? reason
      : `p50 ${ms(found.p50)}  p90 ${ms(found.p90)}  p99 ${ms(found.p99)}  max ${ms(found.max)}  of ${found.samples}`;
  const load = loadavg()[0]?.toFixed(1) ?? '';
  process.stdout.write(`${name.padEnd(42)} ${figures} ms (load ${load})\n`);
}

function ms(value: number): string {
  return value.toFixed(2).padStart(8);
}
