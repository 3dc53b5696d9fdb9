import { setTimeout as sleep } from 'node:timers/promises';
import { watchArrivals } from './arrivals.js';
import type { BenchCluster } from './mesh-under-test.js';

/** etcd takes at most 128 operations in one transaction by default. */
const KEYS_PER_TRANSACTION = 100;
const BUDGET_MS = 120_000;
/** Removing the keys of an earlier burst empties the limiter; a second fills it to its burst again. */
const REFILL_MS = 2_000;

/** What one burst showed. */
export interface LawResult {
  readonly clusters: number;
  readonly keys: number;
  readonly seconds: number;
  readonly modelSeconds: number;
}

/**
 * All clusters write `keys` keys at one instant; the last is in every peer's cache after
 * (K(N−1) − rate)/rate seconds: one limiter for all peers, its burst equal to its rate.
 * Source: mesh-model.md §9.
 */
export async function measureLaw(
  clusters: readonly BenchCluster[],
  keys: number,
  rate: number,
): Promise<LawResult> {
  const peers = clusters.length - 1;
  const caches = await Promise.all(
    clusters.map(({ etcd }) => watchArrivals(etcd, 'cilium/cache/services/v1/')),
  );
  await sleep(REFILL_MS);
  const start = process.hrtime.bigint();
  await Promise.all(clusters.map((cluster) => writeBurst(cluster, keys)));
  const last = await Promise.all(caches.map((cache) => cache.all(keys * peers, BUDGET_MS)));
  const seconds = Math.max(...last.map((moment) => Number(moment - start) / 1e9));
  await Promise.all(clusters.map(({ role, etcd }) => etcd.deletePrefix(prefixOf(role))));
  await Promise.all(caches.map((cache) => cache.gone(keys * peers, BUDGET_MS)));
  await Promise.all(caches.map((cache) => cache.stop()));
  return { clusters: clusters.length, keys, seconds, modelSeconds: (keys * peers - rate) / rate };
}

function prefixOf(role: string): string {
  return `cilium/state/services/v1/${role}/bench/`;
}

async function writeBurst({ role, etcd }: BenchCluster, keys: number): Promise<void> {
  const entries = Array.from({ length: keys }, (_, index) => {
    const name = `svc-${String(index).padStart(5, '0')}`;
    const value = JSON.stringify({ cluster: role, namespace: 'bench', name, backends: {} });
    return { key: `${prefixOf(role)}${name}`, value };
  });
  const writes: Promise<string>[] = [];
  for (let at = 0; at < keys; at += KEYS_PER_TRANSACTION) {
    writes.push(etcd.putAll(entries.slice(at, at + KEYS_PER_TRANSACTION)));
  }
  await Promise.all(writes);
}
