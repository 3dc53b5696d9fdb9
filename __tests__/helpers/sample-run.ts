import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clusterRoles } from '../../model/cluster-identity.js';
import { seededRandom } from '../../workload/platform/random.js';
import {
  apiResponsivenessSummary,
  podStartupSummaries,
  querySummary,
} from '../../workload/results/report-summaries.js';
import { writeReportFolder } from '../../workload/results/write-report-folder.js';

/** What became of a cluster of a sample run. */
export type SampleFate = 'good' | 'failed' | 'missing' | 'weak';

/** A composed run folder: real formats, invented numbers. */
export interface SampleRun {
  readonly fates: readonly SampleFate[];
  /** Milliseconds; the rule on the 99th percentile of propagation. */
  readonly limit?: string;
  readonly probesPerPair?: number;
}

/** When every sample run started. */
export const SAMPLE_START = Date.parse('2026-05-15T03:00:00Z');
/** When rows of samples are made. */
export const SAMPLE_TIMESTAMP = '2026-05-15T03:02:00Z';

/** Writes a run folder as an engine leaves it, before anything is collected. */
export async function writeSampleRun(root: string, run: SampleRun): Promise<void> {
  const roles = clusterRoles(run.fates.length);
  await mkdir(join(root, 'probes'), { recursive: true });
  await writeJson(join(root, 'plan.json'), samplePlan(roles, run.limit ?? '2s'));
  // The last line is torn, as a crash leaves it.
  const ends = [`{"seq":1,"t":"${at(0)}","mono":"1","event":"run-started"}`, '{"seq":2,"t":"20'];
  await writeFile(join(root, 'journal.jsonl'), ends.join('\n'));
  await writeProbes(root, roles, run);
  for (const [index, role] of roles.entries()) {
    const fate = run.fates[index] ?? 'good';
    if (fate !== 'missing') await writeAttempt(root, role, fate, index);
  }
}

function at(seconds: number): string {
  return new Date(SAMPLE_START + seconds * 1000).toISOString();
}

async function writeJson(file: string, value: unknown): Promise<void> {
  await writeFile(file, JSON.stringify(value));
}

const EXPECTED = [
  {
    id: 'ClusterMeshKvstoreOperationDuration',
    measurement: 'ClusterMesh Kvstore Operation Duration',
    queries: ['Perc50', 'Perc99'],
  },
  { id: 'ClusterMeshEtcdMvccKeys', measurement: 'ClusterMesh Etcd MVCC Keys', queries: ['Max'] },
  { id: 'PodStartupLatency', measurement: 'PodStartupLatency', queries: [] },
  { id: 'CiliumBpfMapPressure', measurement: 'Cilium BPF Map Pressure', queries: ['Perc99'] },
].map((one) => ({ ...one, phase: 'burst', through: 'hold', series: 1 }));

function samplePlan(roles: readonly string[], limit: string): object {
  return {
    schemaVersion: 1,
    runId: '20260515T030000Z-first-look-a2b4',
    engine: 'native',
    startedAt: at(0),
    seed: 7,
    versions: { meshscale: '0.1.0', etcd: '3.6.12', kvstoremesh: '1.20.2' },
    scenario: sampleScenario(limit),
    knobs: {},
    inventory: {
      schemaVersion: 1,
      target: 'local',
      meshName: 'sample',
      createdAt: at(-60),
      partial: false,
      expectedClusters: roles.length,
      network: { mode: 'none' },
      clusters: roles.map((role, index) => ({
        role,
        number: index + 1,
        kubernetesVersion: '1.36.3',
        ciliumVersion: '1.20.2',
        nodes: 20,
        podCidrs: [],
        nodeCidrs: [],
        serviceCidrs: [],
        podNetwork: 'none',
        datapath: false,
        access: { kind: 'local', stateDir: 'mesh' },
      })),
    },
    unmetNeeds: [],
    expected: EXPECTED,
    clusters: roles.map((role) => ({
      role,
      files: ['junit.xml'],
      notApplicable: [
        {
          id: 'CiliumBpfMapPressure',
          reason: 'needs cilium-agent, which this target stands in for',
        },
      ],
    })),
    rates: { exporterPerSecond: 20, kvstoremeshPerSecond: 100 },
  };
}

function sampleScenario(limit: string): object {
  return {
    schemaVersion: 1,
    name: 'first-look',
    short: 'fl',
    group: 'first-look',
    title: 'First look: a short burst on every cluster at once',
    question: 'How long until a Service change in one cluster is seen in every other, under load?',
    needs: [],
    knobs: {},
    objects: [],
    phases: [{ name: 'burst', kind: 'burst', sync: 'barrier', action: { kind: 'none' } }],
    faults: [],
    probes: [
      {
        id: 'changes',
        kind: 'propagation',
        observe: ['service-backend'],
        at: 'burst',
        count: 5,
        interval: '1s',
        budget: '10s',
      },
    ],
    measurements: [],
    verdict: {
      rules: [
        { rule: 'stimulus', phase: 'burst', atLeast: 0.9 },
        { rule: 'seen', probe: 'changes', atLeast: 0.99 },
        { rule: 'propagation', probe: 'changes', quantile: 0.99, atMost: limit },
        { rule: 'coverage', atLeast: 0.9 },
      ],
    },
    budget: '10m',
  };
}

async function writeProbes(root: string, roles: readonly string[], run: SampleRun): Promise<void> {
  const random = seededRandom(7);
  const spread = (): number => random.integer(50, 200) / 100;
  const able = (index: number) => !['missing', 'failed'].includes(run.fates[index] ?? 'good');
  const lines = roles.flatMap((source, from) =>
    roles.flatMap((peer, to) => {
      if (from === to || !able(from)) return [];
      return Array.from({ length: run.probesPerPair ?? 5 }, (_, index) => {
        const time = able(to) ? (7 + 6 * from) * spread() : null;
        const reason = time === null ? { reason: `no watch was open in ${peer}` } : {};
        return {
          probe: 'changes',
          probe_id: `changes-${index + 1}`,
          observe: 'service-backend',
          src_cluster: source,
          peer_cluster: peer,
          propagation_ms: time,
          removal_ms: time,
          peer_timed_out: time === null,
          ...reason,
        };
      });
    }),
  );
  const floor = roles.map((cluster) => ({ cluster, sample: 1, delta_ms: spread() }));
  await writeLines(join(root, 'probes', 'changes.jsonl'), lines);
  await writeLines(join(root, 'probes', 'probe-floor.jsonl'), floor);
}

async function writeLines(file: string, values: readonly object[]): Promise<void> {
  await writeFile(file, values.map((value) => `${JSON.stringify(value)}\n`).join(''));
}

async function writeAttempt(
  root: string,
  role: string,
  fate: SampleFate,
  index: number,
): Promise<void> {
  const folder = join(root, 'clusters', role, 'attempt-1');
  await mkdir(folder, { recursive: true });
  const failed = {
    state: 'failed',
    cause: 'infrastructure',
    code: 'api-server-unreachable',
    text: `the API server of ${role} did not answer for 60 s during the burst`,
    next: `read clusters/${role}/attempt-1/engine.log`,
  };
  await writeJson(join(folder, 'outcome.json'), {
    schemaVersion: 1,
    cluster: role,
    attempt: 1,
    startedAt: at(2),
    endedAt: at(110),
    ending: fate === 'failed' ? failed : { state: 'finished' },
    phases: [
      { name: 'create', kind: 'load', start: at(4), end: at(16) },
      { name: 'burst', kind: 'burst', start: at(28), end: at(70) },
      { name: 'hold', kind: 'hold', start: at(70), end: at(95) },
    ],
    stimuli: [
      { phase: 'burst', asked: 15, achieved: fate === 'weak' ? 8.4 : 14.8, unit: 'changes/s' },
    ],
    replaced: [],
    measurements: [],
  });
  if (fate === 'failed') return;
  const latency = { perc50: 3, perc90: 9, perc99: 20 + index };
  await writeReportFolder(join(folder, 'report'), {
    test: 'first-look',
    source: 'first-look',
    duration: 108_000,
    gatheredAt: SAMPLE_START + 100_000,
    steps: [{ title: 'create', duration: 12_000 }],
    summaries: [
      querySummary('ClusterMesh Kvstore Operation Duration', 's', [
        { data: { Perc50: 0.001, Perc99: 0.01 + index / 1000 } },
      ]),
      querySummary('ClusterMesh Exporter Operation Rate', 'operations/s', [
        { data: { Mean: 14.2, Max: 19.6 } },
      ]),
      querySummary('ClusterMesh Etcd MVCC Keys', '#', [{ data: { Max: 1200 + index } }]),
      ...podStartupSummaries({
        all: [{ labels: { Metric: 'pod_startup' }, ...latency }],
        stateless: [],
        stateful: [],
      }),
      apiResponsivenessSummary([
        { labels: { Verb: 'POST', Resource: 'pods', Scope: 'resource' }, ...latency },
      ]),
    ],
  });
}
