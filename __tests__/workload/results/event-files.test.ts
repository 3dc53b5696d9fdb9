import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { collectFolders } from '../../../workload/report/collect-folders.js';
import { readRows } from '../../../workload/results/jsonl-store.js';
import { collectFiles, GOOD_JUNIT, queryFile, writeFiles } from '../../helpers/report-folders.js';
import { withTemporaryFolder } from '../../helpers/temporary-folder.js';

const one = (name: string, text: string) => ({
  'mesh-1/junit.xml': GOOD_JUNIT,
  [`mesh-1/${name}`]: text,
});

describe('files of fault scripts and probes', () => {
  it.each([
    [
      'ApiserverFailureTimings_ctx.json',
      'ApiserverFailureRecoveryTiming',
      'apiserver-failure',
      'seconds',
    ],
    ['IsolationChurnTimings_ctx.json', 'IsolationChurnSummary', 'isolation', 'count'],
    ['HAConfigScalingTimings_ctx.json', 'HAConfigScalingTiming', 'ha-config', 'seconds'],
    ['LabelChurnTimings_Rung3.json', 'LabelChurnTiming', 'upper-bound', 'seconds'],
    ['PropagationTimings.jsonl', 'ClusterMeshPropagationProbe', 'propagation-probe', 'ns'],
    ['ConnectivityResults.jsonl', 'ClusterMeshConnectivityProbe', 'propagation-probe', 'ns'],
    [
      'RemovePropagationTimings.jsonl',
      'ClusterMeshRemovePropagationProbe',
      'propagation-probe',
      'ns',
    ],
    ['ResilienceTimings.jsonl', 'ClusterMeshRecoveryProbe', 'mesh-recovery-probe', 'ns'],
    [
      'mesh-1-MeshDetachRejoinProbe.jsonl',
      'ClusterMeshDetachRejoinProbe',
      'mesh-detach-rejoin-probe',
      's',
    ],
    [
      'mesh-1-MeshPolicyPropProbe.jsonl',
      'ClusterMeshPolicyPropProbe',
      'mesh-policy-prop-probe',
      'ms',
    ],
    ['mesh-1-MeshFailoverProbe.jsonl', 'ClusterMeshFailoverProbe', 'mesh-failover-probe', 'ms'],
    [
      'mesh-1-MeshRestartSurvivalProbe.jsonl',
      'ClusterMeshRestartSurvivalProbe',
      'mesh-restart-survival-probe',
      'ratio',
    ],
  ])('%s gives rows %s', async (name, measurement, group, unit) => {
    const { rows } = await collectFiles(one(name, '{"probe_id":"p1","x":1}'));
    const row = rows.find((own) => own.measurement === measurement);
    expect(row).toMatchObject({ group, result: { data: { probe_id: 'p1', x: 1 }, unit } });
  });

  it('has a row for a node churn and one for each of its operations', async () => {
    const churn = {
      scenario: 'node-churn-scale',
      original_node_count: 3,
      operations: [
        { op_type: 'scale-up', duration_seconds: 61, succeeded: true },
        { op_type: 'scale-down', duration_seconds: 40, succeeded: false, error: 'quota' },
      ],
    };
    const { values, rows } = await collectFiles(
      one('NodeChurnTimings_ctx.json', JSON.stringify(churn)),
    );
    expect([...values].sort()).toEqual(
      [
        'mesh-1 NodeChurnOpTiming: {"scenario":"node-churn-scale","original_node_count":3,"op_index":0,"op_type":"scale-up","duration_seconds":61,"succeeded":true}',
        'mesh-1 NodeChurnOpTiming: {"scenario":"node-churn-scale","original_node_count":3,"op_index":1,"op_type":"scale-down","duration_seconds":40,"succeeded":false,"error":"quota"}',
        'mesh-1 NodeChurnSummary: {"scenario":"node-churn-scale","original_node_count":3,"op_count":2}',
      ].sort(),
    );
    expect(rows.find((row) => row.measurement === 'NodeChurnOpTiming')?.group).toBe(
      'node-churn-scale',
    );
  });

  it('calls a probe missing that the peer did not see, whatever times it carries', async () => {
    const line =
      '{"probe_id":"p","src_cluster":"mesh-1","peer_cluster":"mesh-2","t_apply_ns":1,"delta_first_packet_ms":0,"peer_timed_out":true}';
    const { rows } = await collectFiles(one('PropagationTimings.jsonl', line));
    const row = rows.find((own) => own.measurement === 'ClusterMeshPropagationProbe');
    expect(row?.meshscale).toMatchObject({ state: 'missing', target_cluster: 'mesh-2' });
  });

  it('loses only the line that is cut off', async () => {
    const text = '{"probe_id":"a"}\n{"probe_id":"b"}\n{"probe';
    const { values, collected } = await collectFiles(one('ResilienceTimings.jsonl', text));
    expect(values).toHaveLength(2);
    expect(collected.malformed).toHaveLength(1);
  });
});

describe('a second attempt at a cluster', () => {
  const calls = (count: string, value: number) =>
    JSON.stringify({
      version: 'v1',
      dataItems: [
        {
          data: { Perc99: value },
          unit: 'ms',
          labels: { Verb: 'POST', Count: count, SlowCount: '0' },
        },
      ],
    });
  const name = 'APIResponsivenessPrometheus_t_2026-05-15T03:00:00Z.json';
  const files = {
    'mesh-1/attempt-1/report/junit.xml': GOOD_JUNIT,
    [`mesh-1/attempt-1/report/${name}`]: calls('100', 9),
    'mesh-1/attempt-2/report/junit.xml': GOOD_JUNIT,
    [`mesh-1/attempt-2/report/${name}`]: calls('117', 5),
  };

  it('replaces the row of a call, however often that was made', async () => {
    const { values } = await collectFiles(files);
    expect(values).toEqual(['mesh-1 APIResponsivenessPrometheus: {"Perc99":5}']);
  });

  it('is kept beside the first one on request', async () => {
    const { values, rows } = await collectFiles(files, { keepAttempts: true });
    expect(values).toHaveLength(2);
    expect(rows.filter(({ measurement }) => measurement === 'ClusterStatus')).toHaveLength(1);
  });
});

describe('a folder of several scenarios on one provision', () => {
  const query = 'GenericPrometheusQuery A Query_t_2026-05-15T03:00:00Z.json';
  const files = {
    'event-throughput/mesh-1/junit.xml': GOOD_JUNIT,
    [`event-throughput/mesh-1/${query}`]: queryFile('1'),
    'event-throughput/scenario-policy.json':
      '{"measurement_valid":true,"measurement_reasons":[],"suite_continue":true,"infrastructure_healthy":true}',
    'ha-config/mesh-1/junit.xml': GOOD_JUNIT,
    [`ha-config/mesh-1/${query}`]: queryFile('2'),
    'scenarios.json': '[{"scenario":"ha-config","start_timestamp":"2026-05-15T02:00:00+00:00"}]',
  };

  it('gives rows of each, with its start and what its policy says', async () => {
    await withTemporaryFolder(async (root) => {
      const folder = join(root, 'results');
      await mkdir(folder);
      await writeFiles(folder, files);
      const collected = await collectFolders({
        folders: [folder],
        cluster: undefined,
        inventory: undefined,
        out: join(root, 'rows.jsonl'),
        here: root,
        options: { timestamp: '2026-05-15T04:00:00Z' },
      });
      expect(collected.map(({ file }) => file)).toEqual([
        join(root, 'rows-event-throughput.jsonl'),
        join(root, 'rows-ha-config.jsonl'),
      ]);
      const first = [];
      for (const { file } of collected) {
        for await (const line of readRows(file)) {
          if (line.ok && line.row.measurement === 'A Query') first.push(line.row);
        }
      }
      expect(first).toMatchObject([
        {
          test_type: 'event-throughput',
          measurement_valid: true,
          suite_continue: true,
          recovery_valid: null,
        },
        {
          test_type: 'ha-config',
          start_timestamp: '2026-05-15T02:00:00Z',
          measurement_valid: false,
          measurement_invalid_reasons: ['scenario policy output missing or malformed'],
          test_details: { measurement_valid: false },
        },
      ]);
    });
  });
});
