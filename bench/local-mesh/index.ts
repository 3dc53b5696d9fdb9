// The local mesh in figures: start times, memory per component, the law of kvstoremesh's limiter and
// idle propagation. Run on an idle machine: npx tsx bench/local-mesh/index.ts [N…]   (2 3 5: 6 minutes)
import { mkdtempSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { quantiles } from '../../model/percentiles.js';
import {
  closeClusters,
  openClusters,
  residentProcesses,
  runCli,
  type BenchCluster,
} from './mesh-under-test.js';
import { measureLaw } from './kvstoremesh-law.js';
import { measurePutToCache, measureServiceBurst, measureServices } from './propagation.js';

const MESH_QPS = 100;
const EXPORT_QPS = 20;

const home = mkdtempSync(join(tmpdir(), 'meshscale-bench-'));
print(`load average at start: ${loadavg()[0]?.toFixed(1) ?? '?'}`);
const sizes = process.argv.slice(2).map(Number);
for (const count of sizes.length > 0 ? sizes : [2, 3, 5]) await measureMesh(count);

async function measureMesh(count: number): Promise<void> {
  const stateDir = join(home, `mesh-of-${count}`);
  const common = ['--state', stateDir];
  try {
    const seconds = await runCli(['up', '--clusters', String(count), ...common]);
    print(`\n${count} clusters: up in ${seconds.toFixed(1)} s`);
    printMemory(stateDir);
    const clusters = await openClusters(stateDir, count);
    await measureTraffic(clusters).finally(() => closeClusters(clusters));
  } finally {
    print(`  down in ${(await runCli(['down', ...common])).toFixed(1)} s`);
  }
}

async function measureTraffic(clusters: readonly BenchCluster[]): Promise<void> {
  const [source, reader] = clusters;
  if (source === undefined || reader === undefined) throw new Error('a mesh has two clusters');
  for (const keys of clusters.length <= 3 ? [400, 1_000] : []) {
    const law = await measureLaw(clusters, keys, MESH_QPS);
    const off = (law.seconds / law.modelSeconds - 1) * 100;
    print(
      `  ${law.keys} keys from every peer at once: ${law.seconds.toFixed(2)} s, model ${law.modelSeconds.toFixed(2)} s (${off.toFixed(1)} %)`,
    );
  }
  if (clusters.length !== 2) return;
  print(`  idle put → cache: ${spread(await measurePutToCache(source, reader, 100))}`);
  const split = await measureServices(source, reader, 50);
  print(`  idle Service created → source etcd (exporter): ${spread(split.exporterMs)}`);
  print(`  idle source etcd → peer cache (kvstoremesh): ${spread(split.kvstoremeshMs)}`);
  print(`  idle Service created → peer cache: ${spread(split.totalMs)}`);
  const burst = await measureServiceBurst(source, reader, 400);
  const model = (400 - EXPORT_QPS) / EXPORT_QPS;
  print(`  400 Services at once: ${burst.toFixed(2)} s, model ${model.toFixed(2)} s`);
}

function printMemory(stateDir: string): void {
  const all = residentProcesses(stateDir);
  const names = [...new Set(all.map(({ name }) => name))];
  for (const name of names) {
    const these = all.filter((one) => one.name === name).map(({ residentMib }) => residentMib);
    const mean = these.reduce((sum, one) => sum + one, 0) / these.length;
    print(`  ${name.padEnd(24)} ${mean.toFixed(0).padStart(5)} MiB × ${these.length}`);
  }
  const total = all.reduce((sum, { residentMib }) => sum + residentMib, 0);
  print(`  ${'in all'.padEnd(24)} ${total.toFixed(0).padStart(5)} MiB`);
}

function spread(samples: readonly number[]): string {
  const seen = quantiles(samples);
  if (seen === undefined) return 'no samples';
  const [p50, p90, max] = [seen.p50, seen.p90, seen.max].map((value) => value.toFixed(1));
  return `p50 ${p50} ms, p90 ${p90} ms, max ${max} ms (${seen.samples} samples)`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
