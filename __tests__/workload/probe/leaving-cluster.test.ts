import { describe, expect, it } from '@jest/globals';
import type { ProbeRecord } from '../../../workload/probe/probe-record.js';
import { runPropagationProbes } from '../../../workload/probe/run-propagation-probes.js';
import { createVirtualClock } from '../../helpers/virtual-clock.js';
import { createScriptedMesh } from './scripted-mesh.js';

/** A series in which `mesh-003` sees nothing, and leaves after a second; probes have a minute. */
async function seriesWithout(...leaving: readonly string[]) {
  const clock = createVirtualClock();
  const gone = new AbortController();
  const mesh = createScriptedMesh(['mesh-001', 'mesh-002', 'mesh-003'], {
    ...{ clock, start: 10, local: 2, export: 6, refuse: () => undefined },
    link: (source, reader) => (leaving.some((one) => [source, reader].includes(one)) ? 'never' : 1),
  });
  const records: ProbeRecord[] = [];
  const done = runPropagationProbes({
    clusters: mesh.map((one) => (leaving.includes(one.role) ? { ...one, gone: gone.signal } : one)),
    plan: { kind: 'endpoint-address', count: 6, intervalMs: 400, budgetMs: 60_000 },
    ...{ clock, signal: new AbortController().signal },
    ...{ namespace: 'ms-pp-1', labels: { 'meshscale/run': 'r' } },
    onResult: (record) => void records.push(record),
  });
  await clock.advance(1_000);
  gone.abort(new Error('has left the run'));
  await clock.advance(5_000);
  return { records, summary: await done };
}

describe('a cluster that leaves the run', () => {
  it('is waited for by no probe, and each says why it saw nothing', async () => {
    const { records } = await seriesWithout('mesh-003');
    const reasons = (peer: string, source: string): readonly (string | undefined)[] =>
      records
        .filter((one) => one.peer_cluster === peer && one.src_cluster === source)
        .map(({ reason }) => reason);
    expect(reasons('mesh-003', 'mesh-001')).toEqual([
      'addresses in the cache of mesh-003 could not be watched: mesh-003 has left the run',
    ]);
    expect(reasons('mesh-001', 'mesh-003')).toEqual(['mesh-003 left the run before it was seen']);
  });

  it('is neither source nor peer of later probes, and the others go on', async () => {
    const { records, summary } = await seriesWithout('mesh-003');
    expect(summary.made).toBe(6);
    const last = records.filter(({ probe_id: id }) => id === 'series-6' || id === 'series-5');
    expect(last.map((one) => [one.src_cluster, one.peer_cluster, one.peer_timed_out])).toEqual([
      ['mesh-001', 'mesh-002', false],
      ['mesh-002', 'mesh-001', false],
    ]);
  });

  it('ends the series when no two are left', async () => {
    const { summary } = await seriesWithout('mesh-002', 'mesh-003');
    expect(summary.made).toBe(3);
  });
});
