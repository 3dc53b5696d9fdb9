import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { FIXED_MEASUREMENTS, rowSchema, type Row } from '../../../model/row.js';
import { collectRows } from '../../../workload/results/collect-run.js';
import { readRows } from '../../../workload/results/jsonl-store.js';
import { readRun } from '../../../workload/results/read-run.js';
import type { CollectOptions } from '../../../workload/results/to-rows.js';
import { SAMPLE_TIMESTAMP, writeSampleRun, type SampleRun } from '../../helpers/sample-run.js';
import { withTemporaryFolder } from '../../helpers/temporary-folder.js';

const QUERY = 'GenericPrometheusQuery ClusterMesh Etcd MVCC Keys';

describe('collecting a run', () => {
  it('passes a run where everything is there', async () => {
    const { collected, rows } = await collectSample({ fates: ['good', 'good'] });
    expect(collected.verdict.judgement).toEqual({ verdict: 'pass', reasons: [] });
    expect(rows.filter((row) => !rowSchema.safeParse(row).success)).toEqual([]);
    expect(new Set(rows.map((row) => row.status))).toEqual(new Set(['success']));
  });

  it('gives exactly one status row per expected cluster, whatever happened to it', async () => {
    const fates = ['good', 'failed', 'missing', 'weak'] as const;
    const { rows, collected } = await collectSample({ fates });
    const status = rows.filter((row) => row.measurement === 'ClusterStatus');
    expect(status.map((row) => [row.cluster, row.status])).toEqual([
      ['mesh-001', 'success'],
      ['mesh-002', 'failure'],
      ['mesh-003', 'failure'],
      ['mesh-004', 'success'],
    ]);
    expect(collected.verdict.judgement).toMatchObject({
      verdict: 'error',
      cause: 'infrastructure',
    });
    const named = collected.verdict.judgement.reasons.map((reason) => reason.cluster);
    expect(named).toEqual(expect.arrayContaining(['mesh-002', 'mesh-003']));
  });

  it('makes a run invalid that was loaded too weakly, and marks the rows', async () => {
    const { collected, rows } = await collectSample({ fates: ['good', 'weak'] });
    expect(collected.verdict.judgement.verdict).toBe('invalid');
    const weak = rows.filter((row) => row.cluster === 'mesh-002' && row.meshscale.attempt === 1);
    expect(weak.length).toBeGreaterThan(0);
    expect(weak.every((row) => !row.meshscale.valid)).toBe(true);
  });

  it('has a row per removal, with what removals are about and nothing else', async () => {
    const { rows } = await collectSample({ fates: ['good', 'good'], probesPerPair: 2 });
    const removals = rows.filter((row) => row.measurement === FIXED_MEASUREMENTS.removal);
    expect(removals).toHaveLength(4);
    expect(new Set(rows.map((row) => row.meshscale.key)).size).toBe(rows.length);
    expect(removals[0]?.meshscale).toMatchObject({ kind: 'probe', state: 'present' });
    expect(removals[0]?.result['data']).toMatchObject({ delta_remove_ms: expect.any(Number) });
    expect(removals[0]?.result['data']).not.toHaveProperty('propagation_ms');
  });

  it('fails a run whose changes are seen too late', async () => {
    const { collected } = await collectSample({ fates: ['good', 'good'], limit: '1ms' });
    expect(collected.verdict.judgement.verdict).toBe('fail');
  });

  it('has coverage rows for what is there, missing, and not applicable', async () => {
    const { rows } = await collectSample({ fates: ['good', 'failed'] });
    const states = rows
      .filter((row) => row.measurement === 'MeasurementCoverage')
      .map(({ cluster, result, meshscale }) => {
        const { labels } = result as { labels: { Measurement: string } };
        return `${cluster} ${meshscale.state} ${labels.Measurement}`;
      });
    expect(states.sort()).toEqual([
      'mesh-001 not-applicable Cilium BPF Map Pressure',
      'mesh-001 present APIResponsivenessPrometheus',
      'mesh-001 present ClusterMesh Etcd MVCC Keys',
      'mesh-001 present ClusterMesh Exporter Operation Rate',
      'mesh-001 present ClusterMesh Kvstore Operation Duration',
      'mesh-001 present PodStartupLatency',
      'mesh-002 missing ClusterMesh Etcd MVCC Keys',
      'mesh-002 missing ClusterMesh Kvstore Operation Duration',
      'mesh-002 missing PodStartupLatency',
      'mesh-002 not-applicable Cilium BPF Map Pressure',
    ]);
  });

  it('has a row per probe and peer, and quantiles for both directions of a pair', async () => {
    const { rows } = await collectSample({ fates: ['good', 'good'], probesPerPair: 3 });
    expect(rows.filter((row) => row.measurement === 'ClusterMeshPropagationProbe')).toHaveLength(6);
    const pairs = rows
      .filter((row) => row.measurement === 'ClusterMeshPropagationSummary')
      .map(
        ({ meshscale }) => `${meshscale.source_cluster ?? ''}>${meshscale.target_cluster ?? ''}`,
      );
    expect(new Set(pairs)).toEqual(new Set(['mesh-001>mesh-002', 'mesh-002>mesh-001']));
  });

  it('gives the same file when it is done again', async () => {
    await withTemporaryFolder(async (root) => {
      await writeSampleRun(root, { fates: ['good', 'failed', 'missing'] });
      const first = await collectInto(root, 'a.jsonl');
      const second = await collectInto(root, 'b.jsonl');
      expect(second.text).toBe(first.text);
    });
  });
});

describe('a damaged report folder', () => {
  it('costs only the damaged file: its neighbours give the same rows, and it is named', async () => {
    await withTemporaryFolder(async (root) => {
      await writeSampleRun(root, { fates: ['good', 'good'] });
      const before = await collectInto(root, 'a.jsonl');
      const report = join(root, 'clusters/mesh-001/attempt-1/report');
      const broken = `${QUERY}_first-look_2026-05-15T03:01:40Z.json`;
      await writeFile(join(report, broken), '{"dataItems":[{"data"');
      const after = await collectInto(root, 'b.jsonl');
      const values = (rows: readonly Row[]) =>
        rows
          .filter((row) => ['measurement', 'probe'].includes(row.meshscale.kind))
          .filter(
            (row) => row.measurement !== 'ClusterMesh Etcd MVCC Keys' || row.cluster !== 'mesh-001',
          )
          .map((row) => JSON.stringify(row));
      expect(values(after.rows)).toEqual(values(before.rows));
      const status = after.rows.find((row) => row.measurement === 'ClusterStatus');
      expect(JSON.stringify(status?.result)).toContain(broken);
      expect(after.collected.malformed).toHaveLength(1);
    });
  });

  it('is an error of its cluster alone when the junit is cut off', async () => {
    await withTemporaryFolder(async (root) => {
      await writeSampleRun(root, { fates: ['good', 'good'] });
      const junit = join(root, 'clusters/mesh-002/attempt-1/report/junit.xml');
      await writeFile(junit, (await readFile(junit, 'utf8')).slice(0, 120));
      const { collected } = await collectInto(root, 'a.jsonl');
      const words = collected.verdict.clusters.map((one) => one.judgement.verdict);
      expect(words).toEqual(['pass', 'error']);
    });
  });

  it('is not looked for behind links out of the run folder', async () => {
    await withTemporaryFolder(async (outside) => {
      const [root, other] = [join(outside, 'run'), join(outside, 'other')];
      await writeSampleRun(root, { fates: ['good', 'missing'] });
      await writeSampleRun(other, { fates: ['good', 'good'] });
      await symlink(join(other, 'clusters/mesh-002'), join(root, 'clusters/mesh-002'));
      const { collected } = await collectInto(root, 'a.jsonl');
      const words = collected.verdict.clusters.map((one) => one.judgement.verdict);
      expect(words).toEqual(['pass', 'error']);
    });
  });

  it('says so when the runner was killed before the outcome was written', async () => {
    await withTemporaryFolder(async (root) => {
      await writeSampleRun(root, { fates: ['good'] });
      await rm(join(root, 'clusters/mesh-001/attempt-1/outcome.json'));
      const { collected } = await collectInto(root, 'a.jsonl');
      expect(collected.verdict.judgement.reasons[0]?.code).toBe('no-outcome');
    });
  });
});

describe('a second attempt', () => {
  it('replaces the values that it has and leaves those that it has not', async () => {
    await withTemporaryFolder(async (root) => {
      await writeSampleRun(root, { fates: ['good'] });
      const cluster = join(root, 'clusters/mesh-001');
      await cp(join(cluster, 'attempt-1'), join(cluster, 'attempt-2'), { recursive: true });
      const second = join(cluster, 'attempt-2/report');
      await rm(join(second, `${QUERY}_first-look_2026-05-15T03:01:40Z.json`));
      const { rows } = await collectInto(root, 'a.jsonl');
      const attempts = (name: string) =>
        rows.filter((row) => row.measurement === name).map((row) => row.meshscale.attempt);
      expect(attempts('ClusterMesh Etcd MVCC Keys')).toEqual([1]);
      expect(attempts('ClusterMesh Kvstore Operation Duration')).toEqual([2]);
      const kept = await collectInto(root, 'b.jsonl', { keepAttempts: true });
      const both = kept.rows.filter(
        (row) => row.measurement === 'ClusterMesh Kvstore Operation Duration',
      );
      expect(both.map((row) => row.meshscale.attempt)).toEqual([1, 2]);
    });
  });
});

async function collectSample(run: SampleRun) {
  return await withTemporaryFolder(async (root) => {
    await writeSampleRun(root, run);
    return await collectInto(root, 'rows.jsonl');
  });
}

async function collectInto(root: string, name: string, options: Partial<CollectOptions> = {}) {
  const { facts } = await readRun(root);
  const out = join(root, 'out');
  await mkdir(out, { recursive: true });
  const file = join(out, name);
  const collected = await collectRows(facts, file, { timestamp: SAMPLE_TIMESTAMP, ...options });
  const rows: Row[] = [];
  for await (const line of readRows(file)) if (line.ok) rows.push(line.row);
  return { collected, rows, text: await readFile(file, 'utf8') };
}
