import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OBJECT_CONVENTIONS, scenarioNamespace } from '../../model/object-conventions.js';
import type { RunPlan } from '../../model/run-plan.js';
import type { ScenarioPhase, ScenarioProbe } from '../../model/scenario-spec.js';
import {
  connectionsOf,
  type ClusterConnection,
  type ConnectedCluster,
} from '../inventory/cluster-connection.js';
import { createEtcdClient } from '../kube/etcd/grpc-etcd-client.js';
import type { Clock } from '../platform/clock.js';
import { ensureDirectory } from '../platform/files.js';
import type { Progress } from '../platform/progress.js';
import { measureProbeFloor } from '../probe/measure-floor.js';
import type { ProbeCluster } from '../probe/probe-plan.js';
import { runPropagationProbes } from '../probe/run-propagation-probes.js';
import { makeProbeNamespace } from './probe-namespace.js';
import type { RunPaths } from './run-paths.js';
import { unlimited } from './unlimited.js';
import { writeFolder } from './write-folder.js';

/** The probes of a run. */
export interface ProbeRunner {
  /** Makes the probes' namespace everywhere and measures the tool's own floor. */
  prepare(signal: AbortSignal): Promise<void>;
  /** Runs the series that begin with this phase, over the clusters that still take part. */
  start(phase: ScenarioPhase, roles: readonly string[], signal: AbortSignal): Promise<void>;
  /** Takes a cluster out: no probe is made there any more, and none waits for it. */
  leave(role: string): void;
  close(): void;
}

/** What the probes of a run work with. */
export interface ProbeRunnerOptions {
  readonly plan: RunPlan;
  readonly clusters: readonly ConnectedCluster[];
  readonly paths: RunPaths;
  readonly clock: Clock;
  readonly progress: Progress;
}

/** Binds the scenario's probes to its phases; results go to `probes/`, line by line as they come. */
export function createProbeRunner(options: ProbeRunnerOptions): ProbeRunner {
  const { plan, paths } = options;
  const { probes } = plan.scenario;
  const connections = connectionsOf(options.clusters);
  const leaving = new Map(connections.map(({ cluster }) => [cluster.role, leaver()]));
  const clusters =
    probes.length === 0
      ? []
      : connections.map((one) => {
          const gone = leaving.get(one.cluster.role)?.signal;
          return { ...probeCluster(one, options), gone };
        });
  return {
    prepare: async (signal) => {
      if (probes.length === 0) return;
      await writeFolder(paths, () => ensureDirectory(paths.probes));
      await makeNamespaces(options, connections, signal);
      // One after the other: two at once would be part of each other's floor.
      for (const cluster of clusters) await measureFloor(options, cluster, signal);
    },
    start: async (phase, roles, signal) => {
      const present = clusters.filter(({ role }) => roles.includes(role));
      const series = probes.filter(({ at }) => at === phase.name);
      if (present.every(({ meshEtcd }) => meshEtcd === undefined)) {
        tellBlind(options, series);
        return;
      }
      await Promise.all(series.map((probe) => runSeries(options, probe, present, signal)));
    },
    leave: (role) => {
      leaving.get(role)?.abort(new Error(`${role} has left the run`));
    },
    close: () => {
      for (const { meshEtcd } of clusters) meshEtcd?.close();
    },
  };
}

/** Probes that nobody could see would only say that they were not seen, which is not true. */
function tellBlind({ progress }: ProbeRunnerOptions, series: readonly ScenarioProbe[]): void {
  for (const { id } of series) {
    const text = `probe ${id}: not made, because the mesh etcd of no cluster can be reached here`;
    progress.report({ subject: 'run', state: 'note', text });
  }
}

/** Everything that waits for a cluster listens to it. */
function leaver(): AbortController {
  const controller = new AbortController();
  unlimited(controller.signal);
  return controller;
}

function probeCluster(
  { cluster, kube, meshEtcd }: ClusterConnection,
  { clock }: ProbeRunnerOptions,
): ProbeCluster {
  return {
    role: cluster.role,
    ciliumName: cluster.ciliumName ?? cluster.role,
    kube,
    meshEtcd: meshEtcd === undefined ? undefined : createEtcdClient(meshEtcd, { clock }),
  };
}

async function makeNamespaces(
  { plan, clock, progress }: ProbeRunnerOptions,
  connections: readonly ClusterConnection[],
  signal: AbortSignal,
): Promise<void> {
  const name = probeNamespace(plan);
  const labels = probeLabels(plan);
  const annotations = plan.scenario.objects[0]?.namespaceAnnotations ?? {};
  await Promise.all(
    connections.map(async ({ kube, cluster }) => {
      const made = await makeProbeNamespace(kube, { name, labels, annotations }, { clock, signal });
      if (made.ok) return;
      const text = `the probes' namespace ${name} could not be made: ${made.text}`;
      progress.report({ subject: cluster.role, state: 'note', text });
    }),
  );
}

async function measureFloor(
  { paths, clock, progress }: ProbeRunnerOptions,
  cluster: ProbeCluster,
  signal: AbortSignal,
): Promise<void> {
  const found = await measureProbeFloor({ cluster, samples: FLOOR_SAMPLES, clock, signal });
  const lines = found.samples.map((sample) => JSON.stringify(sample));
  const file = join(paths.probes, 'probe-floor.jsonl');
  if (lines.length > 0) await writeFolder(paths, () => appendFile(file, `${lines.join('\n')}\n`));
  const { quantiles, reason } = found;
  const text =
    quantiles === undefined
      ? `the floor of the probes is not known: ${reason ?? 'no reason was given'}`
      : `floor of the probes: p50 ${quantiles.p50.toFixed(2)} ms, p99 ${quantiles.p99.toFixed(2)} ms`;
  progress.report({ subject: cluster.role, state: 'note', text });
}

async function runSeries(
  { plan, paths, clock, progress }: ProbeRunnerOptions,
  probe: ScenarioProbe,
  clusters: readonly ProbeCluster[],
  signal: AbortSignal,
): Promise<void> {
  const file = join(paths.probes, `${probe.id}.jsonl`);
  const { id, count, interval, budget, observe, at } = probe;
  const summary = await runPropagationProbes({
    clusters,
    plan: { id, kind: observe, count, intervalMs: interval, budgetMs: budget },
    clock,
    signal,
    namespace: probeNamespace(plan),
    labels: probeLabels(plan),
    onResult: (record) =>
      writeFolder(paths, () => appendFile(file, `${JSON.stringify({ ...record, phase: at })}\n`)),
  });
  const { made, seen, observations } = summary;
  const lost = summary.blind.length === 0 ? '' : `; not open in time: ${summary.blind.join('; ')}`;
  const text = `probe ${id}: ${made} of ${count} made, ${seen} of ${observations} seen by their peers${lost}`;
  progress.report({ subject: 'run', state: 'note', text });
}

/** The one after those of the workload. */
function probeNamespace({ scenario }: RunPlan): string {
  return scenarioNamespace(scenario.short, (scenario.objects[0]?.namespaces ?? 0) + 1);
}

/** Of another group than the workload: waits for that must not count these pods. */
function probeLabels({ runId, scenario }: RunPlan): Readonly<Record<string, string>> {
  return {
    [OBJECT_CONVENTIONS.managedByLabel]: OBJECT_CONVENTIONS.managedByValue,
    [OBJECT_CONVENTIONS.runLabel]: runId,
    [OBJECT_CONVENTIONS.groupLabel]: `${scenario.group}-probes`,
  };
}

/** Ours: enough for a p99 that is not the maximum, and less than a second. */
const FLOOR_SAMPLES = 101;
