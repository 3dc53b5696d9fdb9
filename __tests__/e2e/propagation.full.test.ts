import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readMesh } from '../../local/access.js';
import { reloadRelay } from '../../local/connect.js';
import { linkFile } from '../../local/state/link-file.js';
import { MESH_ROLE, meshPaths } from '../../local/state/paths.js';
import { portOf } from '../../local/state/port-plan.js';
import { pairName } from '../../model/cluster-identity.js';
import { quantiles } from '../../model/percentiles.js';
import { systemClock as clock } from '../../workload/platform/clock.js';
import type { ProbePlan } from '../../workload/probe/probe-plan.js';
import type { ProbeRecord } from '../../workload/probe/probe-record.js';
import { runPropagationProbes } from '../../workload/probe/run-propagation-probes.js';
import { probeLineSchema, propagationOf } from '../../workload/results/probe-line.js';
import { openLocalClusters, type LocalClusters } from '../../bench/local-clusters.js';
import { createLocalMesh, type LocalMesh } from '../helpers/local-mesh.js';

/** Real processes on a machine that may be busy with other tests. */
const STEP = 240_000;
const PLANTED_MS = 1_000;

let mesh: LocalMesh;
let local: LocalClusters;
const { signal } = new AbortController();

beforeAll(async () => {
  mesh = await createLocalMesh();
  expect(await mesh.up('--clusters', '2', '--nodes', '3')).toMatchObject({ code: 0 });
  local = await openLocalClusters(mesh.stateDir, 'ms-pp-1');
}, STEP);
afterAll(async () => {
  await local.close();
  await mesh.remove();
}, STEP);

describe('probes of a real mesh', () => {
  it(
    'see each stage of a pod, its backend and their removal in both directions',
    async () => {
      const { records, summary } = await probe({
        ...{ kind: ['service-backend', 'endpoint-address'], count: 4, intervalMs: 500 },
        ...{ budgetMs: 60_000, id: 'pod' },
      });
      expect(summary).toMatchObject({
        made: 4,
        observations: 8,
        seen: 8,
        blind: [],
        leftovers: [],
      });
      for (const record of records) {
        const [times, reason] = [Object.entries(record), record.reason];
        expect(times.filter(([name, at]) => name.startsWith('t_') && at === 0)).toEqual([]);
        expect({ reason, removed: record.removal_ms }).toEqual({
          reason: undefined,
          removed: expect.any(Number),
        });
        const line = probeLineSchema.parse(JSON.parse(JSON.stringify(record)));
        expect(propagationOf(line)).toBe(record.propagation_ms);
      }
    },
    STEP,
  );

  it(
    'find a slow link at its own pair only',
    async () => {
      const slow = { source: 'mesh-001', reader: 'mesh-002' };
      await plant(pairName(slow), PLANTED_MS);
      const { records } = await probe({
        ...{ kind: 'service-backend', stimulus: 'endpoint-slice', id: 'slice' },
        ...{ count: 20, intervalMs: 250, budgetMs: 60_000 },
      });
      const found = ['mesh-001', 'mesh-002'].filter((source) => {
        const own = records.filter((one) => one.src_cluster === source);
        const median = quantiles(own.flatMap((one) => one.delta_peer_ms ?? []))?.p50 ?? 0;
        // Half of it: no busy machine doubles the usual two.
        return median > PLANTED_MS / 2;
      });
      expect(found).toEqual(['mesh-001']);
    },
    STEP,
  );
});

async function probe(plan: ProbePlan) {
  const records: ProbeRecord[] = [];
  const summary = await runPropagationProbes({
    ...{ clusters: local.clusters, plan, clock, signal, namespace: local.namespace, labels: {} },
    onResult: (record) => void records.push(record),
  });
  return { records, summary };
}

async function plant(pair: string, delayMs: number): Promise<void> {
  const file = linkFile(meshPaths(mesh.stateDir).linkFile);
  const links = (await file.read())?.links ?? [];
  await file.write({
    links: links.map((link) => (pairName(link) === pair ? { ...link, delayMs } : link)),
  });
  const { ports } = await readMesh(mesh.stateDir);
  await reloadRelay(portOf(ports, MESH_ROLE, 'relay'), signal);
}
