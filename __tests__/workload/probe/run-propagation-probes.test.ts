import { describe, expect, it } from '@jest/globals';
import type { ProbePlan } from '../../../workload/probe/probe-plan.js';
import type { ProbeRecord } from '../../../workload/probe/probe-record.js';
import { runPropagationProbes } from '../../../workload/probe/run-propagation-probes.js';
import { createVirtualClock, type VirtualClock } from '../../helpers/virtual-clock.js';
import { createScriptedMesh, type MeshScript } from './scripted-mesh.js';

const PLAN: ProbePlan = {
  kind: ['service-backend', 'endpoint-address'],
  count: 1,
  intervalMs: 1_000,
  budgetMs: 2_000,
};

describe('propagation probes', () => {
  it('time every stage of a change and of its removal from one clock', async () => {
    const { records, summary } = await run({}, {});
    expect(records).toHaveLength(4);
    expect(pick(records, 'endpoint-address', 'mesh-002')).toMatchObject({
      ...{ src_cluster: 'mesh-001', peer_timed_out: false, watch_lost: false, seen_by: 'watch' },
      ...{ delta_ready_ms: 10, delta_local_ms: 12, delta_export_ms: 6, delta_peer_ms: 1 },
      ...{ delta_mesh_ms: 7, propagation_ms: 19, removal_ms: 19, delta_remove_mesh_ms: 7 },
      ...{ pod_ip: '10.1.0.2', pod_hostname: 'probe-series-1' },
    });
    const backend = pick(records, 'service-backend', 'mesh-003');
    expect(backend).toMatchObject({ propagation_ms: 19, removal_ms: 19, delta_export_ms: 6 });
    const ns = (name: `t_${string}_ns`): number => backend[name] ?? Number.NaN;
    // A double of this size holds steps of 256 ns.
    expect((ns('t_peer_service_backend_ns') - ns('t_apply_ns')) / 1e6).toBeCloseTo(19, 2);
    expect(summary).toMatchObject({ asked: 1, made: 1, observations: 4, seen: 4, marked: 0 });
  });

  it('let every cluster be the source in its turn, each to all others', async () => {
    const { records } = await run({}, { count: 3, kind: 'endpoint-address' });
    const pairs = records.map((one) => `${one.src_cluster}--${one.peer_cluster}`).sort();
    expect(pairs).toEqual([
      ...['mesh-001--mesh-002', 'mesh-001--mesh-003', 'mesh-002--mesh-001'],
      ...['mesh-002--mesh-003', 'mesh-003--mesh-001', 'mesh-003--mesh-002'],
    ]);
  });

  it('find a slow link at its own pair only', async () => {
    const link: MeshScript['link'] = (source, reader) =>
      source === 'mesh-001' && reader === 'mesh-003' ? 51 : 1;
    const { records } = await run({ link }, { count: 3, kind: 'service-backend' });
    const slow = records.filter((one) => (one.delta_peer_ms ?? 0) > 1);
    expect(slow.map((one) => [one.src_cluster, one.peer_cluster, one.delta_peer_ms])).toEqual([
      ['mesh-001', 'mesh-003', 51],
    ]);
  });

  it('give no value but the reason and the last stage for a peer that never sees it', async () => {
    const link: MeshScript['link'] = (_source, reader) => (reader === 'mesh-003' ? 'never' : 1);
    const { records, summary } = await run({ link }, { kind: 'service-backend' });
    const missing = pick(records, 'service-backend', 'mesh-003');
    expect(missing).toMatchObject({ propagation_ms: null, peer_timed_out: true });
    expect(missing.removal_ms).toBeUndefined();
    expect(missing['t_peer_service_backend_ns']).toBe(0);
    expect(missing.reason).toBe(
      'mesh-003 did not see it within 2.0 s; it had come as far as the Services in the mesh etcd of mesh-001',
    );
    expect(pick(records, 'service-backend', 'mesh-002').propagation_ms).toBe(19);
    expect(summary).toMatchObject({ observations: 2, seen: 1 });
  });

  it('do not count what a peer sees after the budget', async () => {
    const link: MeshScript['link'] = (_source, reader) => (reader === 'mesh-003' ? 2_400 : 1);
    const { records } = await run(
      { link: (s, r, what) => (what === 'gone' && r === 'mesh-002' ? 'never' : link(s, r, what)) },
      { kind: 'endpoint-address' },
    );
    const late = pick(records, 'endpoint-address', 'mesh-003');
    expect(late).toMatchObject({ propagation_ms: null, peer_timed_out: true });
    expect(late.reason).toBe('mesh-003 saw it after 2.4 s, the budget is 2.0 s');
  });

  it('tell a removal that never comes as missing, the change as seen', async () => {
    const link: MeshScript['link'] = (_source, reader, what) =>
      what === 'gone' && reader === 'mesh-002' ? 'never' : 1;
    const { records } = await run({ link }, { kind: 'endpoint-address' });
    expect(pick(records, 'endpoint-address', 'mesh-002')).toMatchObject({
      ...{ propagation_ms: 19, removal_ms: null, peer_remove_timed_out: true },
      removal_reason:
        'still in mesh-002 after 2.0 s; it was gone from the addresses in the mesh etcd of mesh-001',
    });
  });

  it('tell what the source refused to every peer, and try nothing more', async () => {
    const refuse: MeshScript['refuse'] = (_role, path) =>
      path.endsWith('/pods')
        ? { ok: false, status: 403, reason: 'Forbidden', message: 'quota' }
        : undefined;
    const { records } = await run({ refuse }, { kind: 'endpoint-address' });
    expect(records.map(({ reason }) => reason)).toEqual([
      'mesh-001 refused the change: 403 Forbidden: quota',
      'mesh-001 refused the change: 403 Forbidden: quota',
    ]);
  });

  it('start at their time although earlier ones are still waited for', async () => {
    const { records, summary } = await run(
      { link: () => 'never' },
      { count: 3, intervalMs: 100, kind: 'service-backend' },
    );
    const starts = [...new Set(records.map((one) => one.probe_ns))].sort();
    const [first = 0] = starts;
    expect(starts.map((at) => Math.round((at - first) / 1e6))).toEqual([0, 100, 200]);
    expect(summary.lateStartMs).toBe(0);
  });

  it('leave nothing behind when they are stopped, and say so in each record', async () => {
    const stop = new AbortController();
    const world = start({ link: () => 'never' }, { count: 5, intervalMs: 500 }, stop.signal);
    await world.clock.advance(1_200);
    stop.abort();
    await world.clock.advance(5_000);
    const summary = await world.done;
    expect(summary).toMatchObject({ interrupted: true, asked: 5 });
    expect(world.records).toHaveLength(summary.made * 4);
    expect(new Set(world.records.map(({ reason }) => reason))).toEqual(
      new Set(['the run was stopped before it was seen']),
    );
    const left = world.mesh.flatMap((one) => one.objects());
    // The slices would be collected by Kubernetes.
    expect(left.filter((path) => /\/(pods|services)\//.test(path))).toEqual([]);
  });

  it('fails with what took the records when that cannot', async () => {
    const world = start({}, { count: 3 }, undefined, () => {
      throw new Error('no space left');
    });
    const failed = expect(world.done).rejects.toThrow('no space left');
    await world.clock.advance(30_000);
    await failed;
  });
});

interface Running {
  readonly clock: VirtualClock;
  readonly mesh: ReturnType<typeof createScriptedMesh>;
  readonly records: ProbeRecord[];
  readonly done: ReturnType<typeof runPropagationProbes>;
}

function start(
  script: Partial<MeshScript>,
  plan: Partial<ProbePlan>,
  signal: AbortSignal = new AbortController().signal,
  onResult?: (record: ProbeRecord) => void,
): Running {
  const clock = createVirtualClock();
  const mesh = createScriptedMesh(['mesh-001', 'mesh-002', 'mesh-003'], {
    ...{ clock, start: 10, local: 2, export: 6, link: () => 1, refuse: () => undefined },
    ...script,
  });
  const records: ProbeRecord[] = [];
  const done = runPropagationProbes({
    ...{ clusters: mesh, plan: { ...PLAN, ...plan }, clock, signal },
    ...{ namespace: 'ms-pp-1', labels: { 'meshscale/run': 'r' } },
    onResult: onResult ?? ((record) => void records.push(record)),
  });
  return { clock, mesh, records, done };
}

async function run(script: Partial<MeshScript>, plan: Partial<ProbePlan>) {
  const { clock, records, done } = start(script, plan);
  await clock.advance(30_000);
  return { records, summary: await done };
}

function pick(records: readonly ProbeRecord[], observe: string, peer: string): ProbeRecord {
  const found = records.find((one) => one.observe === observe && one.peer_cluster === peer);
  if (found === undefined) throw new Error(`no record of ${observe} at ${peer}`);
  return found;
}
