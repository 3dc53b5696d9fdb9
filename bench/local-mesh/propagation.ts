import { setTimeout as sleep } from 'node:timers/promises';
import { watchArrivals } from './arrivals.js';
import type { BenchCluster } from './mesh-under-test.js';

const BUDGET_MS = 120_000;
/** Between single changes, so that each meets an idle mesh and a full token bucket. */
const PAUSE_MS = 200;

/** Milliseconds of each sample. */
export interface SplitSamples {
  readonly exporterMs: readonly number[];
  readonly kvstoremeshMs: readonly number[];
  readonly totalMs: readonly number[];
}

/** A key is put into the source's etcd: how long until it is in the reader's cache. */
export async function measurePutToCache(
  source: BenchCluster,
  reader: BenchCluster,
  samples: number,
): Promise<readonly number[]> {
  const cache = await watchArrivals(reader.etcd, `cilium/cache/services/v1/${source.role}/bench/`);
  const results: number[] = [];
  for (let index = 0; index < samples; index += 1) {
    const start = process.hrtime.bigint();
    await source.etcd.put(`cilium/state/services/v1/${source.role}/bench/one-${index}`, '{}');
    results.push(Number((await cache.all(index + 1, BUDGET_MS)) - start) / 1e6);
    await sleep(PAUSE_MS);
  }
  await source.etcd.deletePrefix(`cilium/state/services/v1/${source.role}/bench/`);
  await cache.gone(samples, BUDGET_MS);
  await cache.stop();
  return results;
}

/** A Service is made through the API server: how long until the source's etcd, then the cache. */
export async function measureServices(
  source: BenchCluster,
  reader: BenchCluster,
  samples: number,
): Promise<SplitSamples> {
  const state = `cilium/state/services/v1/${source.role}/default/`;
  const cached = `cilium/cache/services/v1/${source.role}/default/`;
  const [own, peer] = await Promise.all([
    watchArrivals(source.etcd, state),
    watchArrivals(reader.etcd, cached),
  ]);
  const split = {
    exporterMs: [] as number[],
    kvstoremeshMs: [] as number[],
    totalMs: [] as number[],
  };
  for (let index = 0; index < samples; index += 1) {
    const name = `bench-${index}`;
    await makeBackends(source, name);
    const created = await makeService(source, name);
    await peer.all(index + 1, BUDGET_MS);
    const [exported, arrived] = [own.at(`${state}${name}`), peer.at(`${cached}${name}`)];
    if (exported === undefined || arrived === undefined) throw new Error(`${name} was not seen`);
    split.exporterMs.push(Number(exported - created) / 1e6);
    split.kvstoremeshMs.push(Number(arrived - exported) / 1e6);
    split.totalMs.push(Number(arrived - created) / 1e6);
    await sleep(PAUSE_MS);
  }
  await removeServices(source, samples);
  await peer.gone(samples, BUDGET_MS);
  await Promise.all([own.stop(), peer.stop()]);
  return split;
}

/** `count` Services at once: seconds until the last is in the reader's cache. Model: (K − 20)/20. */
export async function measureServiceBurst(
  source: BenchCluster,
  reader: BenchCluster,
  count: number,
): Promise<number> {
  const cached = `cilium/cache/services/v1/${source.role}/default/`;
  const names = Array.from({ length: count }, (_, index) => `bench-${index}`);
  await Promise.all(names.map((name) => makeBackends(source, name)));
  const peer = await watchArrivals(reader.etcd, cached);
  const start = process.hrtime.bigint();
  await Promise.all(names.map((name) => makeService(source, name)));
  const seconds = Number((await peer.all(count, BUDGET_MS)) - start) / 1e9;
  await removeServices(source, count);
  await peer.gone(count, BUDGET_MS);
  await peer.stop();
  return seconds;
}

const SERVICES = '/api/v1/namespaces/default/services';
const SLICES = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';
const PORTS = [{ name: 'http', port: 80, protocol: 'TCP' }];

async function makeService({ kube }: BenchCluster, name: string): Promise<bigint> {
  const annotations = { 'service.cilium.io/global': 'true' };
  const metadata = { name, annotations };
  const answer = await kube.request('POST', SERVICES, { metadata, spec: { ports: PORTS } });
  if (!answer.ok) throw new Error(`${name}: ${answer.message}`);
  return process.hrtime.bigint();
}

async function makeBackends({ kube }: BenchCluster, name: string): Promise<void> {
  const labels = {
    'kubernetes.io/service-name': name,
    'endpointslice.kubernetes.io/managed-by': 'meshscale',
  };
  const answer = await kube.request('POST', SLICES, {
    metadata: { name, labels },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.1.31.253'], conditions: { ready: true } }],
    ports: PORTS,
  });
  if (!answer.ok) throw new Error(`${name}: ${answer.message}`);
}

async function removeServices({ kube }: BenchCluster, count: number): Promise<void> {
  const names = Array.from({ length: count }, (_, index) => `bench-${index}`);
  for (const collection of [SERVICES, SLICES]) {
    await Promise.all(names.map((name) => kube.request('DELETE', `${collection}/${name}`)));
  }
}
