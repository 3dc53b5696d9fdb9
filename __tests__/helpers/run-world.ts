import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunPlan } from '../../model/run-plan.js';
import type { Scenario } from '../../model/scenario-spec.js';
import { openJournal } from '../../workload/exec/journal.js';
import { createProbeRunner } from '../../workload/exec/run-probes.js';
import { runPaths, type RunPaths } from '../../workload/exec/run-paths.js';
import type { AttemptResult } from '../../workload/exec/report-attempts.js';
import { runScenario, type RunEnd, type RunSetting } from '../../workload/exec/run-scenario.js';
import type { ConnectedCluster } from '../../workload/inventory/cluster-connection.js';
import { createKubeClient } from '../../workload/kube/http-kube-client.js';
import { loadCatalogue } from '../../workload/measure/catalogue.js';
import { silentProgress } from '../../workload/platform/progress.js';
import { collectRows } from '../../workload/results/collect-run.js';
import { readRun } from '../../workload/results/read-run.js';
import { shippedFolders } from '../../workload/scenario/folders.js';
import { planText } from '../../workload/scenario/plan-file.js';
import { writeNativeReport } from '../../workload/commands/run-report-folder.js';
import { comparableRows } from './comparable-rows.js';
import { startFakeCluster, type FakeCluster } from './fake-cluster.js';
import { inventoryCluster } from './inventory-cluster.js';
import { createVirtualClock, settled, type VirtualClock } from './virtual-clock.js';

/** Fake clusters, a run folder, a virtual clock, and a run over all of it. */
export interface RunWorld {
  readonly clock: VirtualClock;
  readonly clusters: readonly FakeCluster[];
  readonly paths: RunPaths;
  readonly plan: RunPlan;
  readonly results: AttemptResult[];
  readonly interrupt: AbortController;
  /** New clients for all clusters. */
  connect(): readonly ConnectedCluster[];
  /** Runs the plan; `other` may change anything about it. */
  run(clusters: readonly ConnectedCluster[], other?: RunChanges): Promise<RunEnd>;
  /** Rows of the run folder as it is now, without what differs from run to run. */
  rows(): Promise<readonly string[]>;
  /** Moves the clock until the work is done. */
  drive<T>(work: Promise<T>): Promise<T>;
  remove(): Promise<void>;
}

/** What a test may want otherwise. */
export type RunChanges = Partial<
  Pick<RunSetting, 'journal' | 'parallel' | 'resumption' | 'createEngine' | 'progress'>
>;

/** Two namespaces of two Deployments of three pods, loaded, restarted and deleted again. */
export const PHASES: Scenario['phases'] = [
  {
    name: 'load',
    kind: 'load',
    sync: 'barrier',
    action: { kind: 'create' },
    rate: 20,
    timeout: 60_000,
  },
  { name: 'settle', kind: 'settle', sync: 'barrier', action: { kind: 'none' }, duration: 2_000 },
  {
    name: 'burst',
    kind: 'burst',
    sync: 'barrier',
    action: { kind: 'restart', times: 1 },
    rate: 20,
    timeout: 60_000,
  },
  { name: 'delete', kind: 'delete', sync: 'free', action: { kind: 'delete' }, timeout: 60_000 },
];

/** The same phases for clusters that do not wait for each other. */
export const FREE_PHASES: Scenario['phases'] = PHASES.map((phase) => ({ ...phase, sync: 'free' }));

export async function createRunWorld(
  count: number,
  changes: Partial<Scenario> = {},
): Promise<RunWorld> {
  const root = await mkdtemp(join(tmpdir(), 'run-'));
  const clock = createVirtualClock();
  const clusters = await Promise.all(Array.from({ length: count }, () => startFakeCluster()));
  const paths = runPaths(join(root, 'runs', 'r'));
  await mkdir(paths.root, { recursive: true });
  const plan = planFor(count, changes);
  await writeFile(paths.plan, planText(plan));
  const catalogue = await loadCatalogue(shippedFolders().measurements);
  const results: AttemptResult[] = [];
  const interrupt = new AbortController();
  const opened: ConnectedCluster[] = [];
  return {
    ...{ clock, clusters, paths, plan, results, interrupt },
    connect: () => {
      const connected = clusters.map((cluster, index) => connection(cluster, plan, index, clock));
      opened.push(...connected);
      return connected;
    },
    rows: () => rowsOf(paths.root),
    run: async (connected, other = {}) =>
      await runScenario({
        ...{ plan, paths, clock, catalogue, clusters: connected, progress: silentProgress },
        journal: other.journal ?? (await openJournal(paths.journal, clock)),
        gate: { problems: [], good: [], unseen: [] },
        metricsOf: () => undefined,
        scrapeInterval: 1_000,
        probes: createProbeRunner({
          plan,
          clusters: connected,
          paths,
          clock,
          progress: silentProgress,
        }),
        writeReport: async (folder, result) => {
          results.push(result);
          await writeNativeReport(folder, result, { plan, catalogue, clock });
        },
        signal: interrupt.signal,
        ...other,
      }),
    drive: (work) => drive(clock, work),
    remove: async () => {
      for (const one of opened) if (one.state === 'connected') await one.connection.kube.close();
      await Promise.all(clusters.map((cluster) => cluster.close()));
      // A runner that a test has killed may still be at its last file.
      await rm(root, { recursive: true, maxRetries: 10, retryDelay: 20 });
    },
  };
}

async function drive<T>(clock: VirtualClock, work: Promise<T>): Promise<T> {
  const state = { ended: false };
  const watched = work.finally(() => {
    state.ended = true;
  });
  watched.catch(() => undefined);
  // Loopback answers need real turns of the event loop: time moves in small steps.
  for (let step = 0; !state.ended && step < 20_000; step += 1) {
    await clock.advance(20);
    await settled(5);
  }
  return await watched;
}

function connection(
  { url }: FakeCluster,
  plan: RunPlan,
  index: number,
  clock: VirtualClock,
): ConnectedCluster {
  const cluster = plan.inventory.clusters[index];
  if (cluster === undefined) throw new Error(`there is no cluster ${index}`);
  const kube = createKubeClient({ server: url, credential: { kind: 'none' } }, { clock });
  return { state: 'connected', connection: { cluster, kube } };
}

/** As `collect` would make them. */
async function rowsOf(folder: string): Promise<readonly string[]> {
  const { facts } = await readRun(folder);
  await collectRows(facts, join(folder, 'rows.jsonl'), { timestamp: '2026-05-15T03:00:00Z' });
  return await comparableRows(folder);
}

function planFor(count: number, changes: Partial<Scenario>): RunPlan {
  const clusters = Array.from({ length: count }, (_, index) =>
    inventoryCluster(index + 1, { datapath: false }),
  );
  return {
    schemaVersion: 1,
    runId: '20260515T020000Z-test-aaaa',
    startedAt: '2026-05-15T02:00:00.000Z',
    engine: 'native',
    seed: 1,
    versions: {},
    scenario: { ...scenario(), ...changes },
    knobs: {},
    inventory: {
      schemaVersion: 1,
      target: 'kubeconfig',
      meshName: 'test',
      createdAt: '2026-05-15T02:00:00.000Z',
      partial: false,
      expectedClusters: count,
      network: { mode: 'none' },
      clusters,
    },
    unmetNeeds: [],
    expected: [STARTUP],
    clusters: clusters.map(({ role }) => ({
      role,
      files: ['junit.xml', 'PodStartupLatency_PodStartupLatency_test-group'],
      notApplicable: [],
    })),
  };
}

const STARTUP: RunPlan['expected'][number] = {
  id: 'PodStartupLatency',
  measurement: 'PodStartupLatency',
  queries: [],
  phase: 'load',
  through: 'load',
  series: 1,
};

function scenario(): Scenario {
  const resources = { cpu: '1m', memory: '5Mi' };
  return {
    schemaVersion: 1,
    name: 'test',
    short: 't',
    group: 'test-group',
    title: 'Test',
    question: 'Does it run?',
    needs: [],
    knobs: {},
    objects: [
      {
        kind: 'workload',
        namespaces: 2,
        globalNamespaces: 1,
        deploymentsPerNamespace: 2,
        replicasPerDeployment: 3,
        namespaceAnnotations: { 'clustermesh.cilium.io/global': 'true' },
        service: { type: 'headless', port: 80, annotations: {} },
        pod: { image: 'pause', requests: resources, limits: resources },
      },
    ],
    phases: PHASES,
    faults: [],
    probes: [],
    measurements: [],
    verdict: { rules: [] },
    budget: 300_000,
  };
}
