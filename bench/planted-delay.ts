/*
 * Plants a delay on one link of a local mesh and says what the probes find of it, pair by pair.
 * Run: node bin/meshscale.js up --clusters 2 --state DIR, then
 * node --import tsx bench/planted-delay.ts DIR [delay in ms]
 */
import { loadavg } from 'node:os';
import { reloadRelay } from '../local/connect.js';
import { readMesh } from '../local/access.js';
import { linkFile } from '../local/state/link-file.js';
import { MESH_ROLE, meshPaths } from '../local/state/paths.js';
import { portOf } from '../local/state/port-plan.js';
import { pairName } from '../model/cluster-identity.js';
import { quantiles } from '../model/percentiles.js';
import { systemClock as clock } from '../workload/platform/clock.js';
import { runPropagationProbes } from '../workload/probe/run-propagation-probes.js';
import { openLocalClusters } from './local-clusters.js';

const [stateDir = '', delay = '50'] = process.argv.slice(2);
const PROBES = 40;
const { signal } = new AbortController();
const mesh = await readMesh(stateDir);
const local = await openLocalClusters(stateDir, 'ms-bench-2');
const { clusters } = local;
const planted = { source: clusters[0]?.role ?? '', reader: clusters[1]?.role ?? '' };
try {
  const before = await medians('before');
  await plant(Number(delay));
  const delayed = await medians('delayed');
  for (const [pair, value] of delayed) {
    const more = value - (before.get(pair) ?? Number.NaN);
    const asked = pair === pairName(planted) ? Number(delay) : 0;
    process.stdout.write(
      `${pair}: planted ${asked} ms, found ${more.toFixed(2)} ms (load ${loadavg()[0]?.toFixed(1) ?? ''})\n`,
    );
  }
} finally {
  await plant(0);
  await local.close();
}

/** Median time from the source's etcd to the peer's cache, by pair. */
async function medians(id: string): Promise<ReadonlyMap<string, number>> {
  const values = new Map<string, number[]>();
  await runPropagationProbes({
    ...{ clusters, clock, signal, namespace: local.namespace, labels: {} },
    plan: {
      ...{ kind: 'service-backend', stimulus: 'endpoint-slice', id },
      ...{ count: PROBES, intervalMs: 250, budgetMs: 10_000 },
    },
    onResult: ({ src_cluster: source, peer_cluster: reader, delta_peer_ms: value }) => {
      const pair = pairName({ source, reader });
      if (value !== null) values.set(pair, [...(values.get(pair) ?? []), value]);
    },
  });
  return new Map([...values].map(([pair, all]) => [pair, quantiles(all)?.p50 ?? Number.NaN]));
}

async function plant(delayMs: number): Promise<void> {
  const file = linkFile(meshPaths(stateDir).linkFile);
  const links = (await file.read())?.links ?? [];
  await file.write({
    links: links.map((link) =>
      pairName(link) === pairName(planted) ? { ...link, delayMs } : link,
    ),
  });
  await reloadRelay(portOf(mesh.ports, MESH_ROLE, 'relay'), signal);
}
