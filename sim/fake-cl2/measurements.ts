import { z } from 'zod';
import type { KubeObject } from '../../workload/kube/kube-client.js';
import { systemClock } from '../../workload/platform/clock.js';
import type { FakeMeasurement } from './config.js';
import type { FakeCluster } from './objects.js';
import type { FakeSummary } from './report.js';

/** What one measurement call gave. */
export interface MeasurementResult {
  readonly errors: readonly string[];
  readonly summaries: readonly FakeSummary[];
}

/** Executes a measurement as far as the configs that we emit need it. */
export async function measure(
  cluster: FakeCluster,
  measurement: FakeMeasurement,
  prometheus: boolean,
): Promise<MeasurementResult> {
  const { method, params } = measurement;
  const gather = params['action'] === 'gather';
  switch (method) {
    case 'WaitForGenericK8sObjects':
      return said(measurement, await waitForGate(cluster, measurement));
    case 'WaitForControlledPodsRunning':
      if (!gather) {
        selectors.set(measurement.identifier, textAt(params, 'labelSelector'));
        return NOTHING;
      }
      return said(measurement, await waitForPods(cluster, measurement));
    case 'PodStartupLatency':
      if (!gather) return NOTHING;
      return { errors: [], summaries: startupSummaries(measurement.identifier) };
    case 'GenericPrometheusQuery':
      // Skipped without a word when there is no Prometheus: no file, no failure.
      if (!gather || !prometheus) return NOTHING;
      return { errors: [], summaries: [querySummary(measurement)] };
    case 'APIResponsivenessPrometheus':
      if (!gather || !prometheus) return NOTHING;
      return { errors: [], summaries: [{ name: method, data: { version: 'v1', dataItems: [] } }] };
    default:
      return said(measurement, `measurement method ${method} is not registered`);
  }
}

const NOTHING: MeasurementResult = { errors: [], summaries: [] };
/** Labels that a start has said to look for. */
const selectors = new Map<string, string>();

function said({ method, identifier }: FakeMeasurement, error?: string): MeasurementResult {
  if (error === undefined) return NOTHING;
  return { errors: [`measurement call ${method} - ${identifier} error: ${error}`], summaries: [] };
}

async function waitForGate(
  { client }: FakeCluster,
  { params }: FakeMeasurement,
): Promise<string | undefined> {
  const wanted = z.array(z.string()).parse(params['successfulConditions']);
  const query = { labelSelector: textAt(params, 'labelSelector') };
  const end = deadline(textAt(params, 'timeout'));
  while (systemClock.now() < end) {
    const answer = await client.list('/api/v1/services', { query }).catch(() => undefined);
    if (
      (answer?.items ?? []).some((one) => conditionsOf(one).some((text) => wanted.includes(text)))
    )
      return undefined;
    await systemClock.sleep(POLL);
  }
  return 'timeout while waiting for 1 objects to be successful or failed';
}

function conditionsOf({ status }: KubeObject): readonly string[] {
  const parsed = conditionsSchema.safeParse(status);
  return (parsed.data?.conditions ?? []).map(({ type, status: is }) => `${type}=${is}`);
}

const conditionsSchema = z.object({
  conditions: z.array(z.object({ type: z.string(), status: z.string() })).default([]),
});

/** As many pods ready as the Deployments of that label want. */
async function waitForPods(
  { client }: FakeCluster,
  { identifier, params }: FakeMeasurement,
): Promise<string | undefined> {
  const query = { labelSelector: selectors.get(identifier) ?? '' };
  const end = deadline(textAt(params, 'syncTimeout'));
  while (systemClock.now() < end) {
    const deployments = await client.list('/apis/apps/v1/deployments', { query });
    const pods = await client.list('/api/v1/pods', { query });
    const wanted = deployments.items.reduce((sum, one) => sum + replicasOf(one), 0);
    const rolled = deployments.items.every((one) => isRolledOut(one));
    if (rolled && pods.items.length === wanted) return undefined;
    await systemClock.sleep(POD_POLL);
  }
  return 'timed out: some Deployments have not the pods that they want';
}

const deploymentSchema = z.object({
  metadata: z.object({ generation: z.number().default(1) }),
  spec: z.object({ replicas: z.number().default(1) }),
  status: z
    .object({
      observedGeneration: z.number().default(0),
      replicas: z.number().default(0),
      updatedReplicas: z.number().default(0),
      readyReplicas: z.number().default(0),
    })
    .prefault({}),
});

function replicasOf(one: KubeObject): number {
  return deploymentSchema.parse(one).spec.replicas;
}

function isRolledOut(one: KubeObject): boolean {
  const { metadata, spec, status } = deploymentSchema.parse(one);
  const counts = [status.replicas, status.updatedReplicas, status.readyReplicas];
  return (
    status.observedGeneration >= metadata.generation &&
    counts.every((count) => count === spec.replicas)
  );
}

/** All three, always; without a StatefulSet the last is all zeros. */
function startupSummaries(identifier: string): readonly FakeSummary[] {
  const items = (perc: number) =>
    [
      'create_to_schedule',
      'schedule_to_run',
      'run_to_watch',
      'schedule_to_watch',
      'pod_startup',
    ].map((metric) => ({
      data: { Perc50: perc, Perc90: perc, Perc99: perc },
      unit: 'ms',
      labels: { Metric: metric },
    }));
  return [
    { name: `PodStartupLatency_${identifier}`, perc: 5 },
    { name: `StatelessPodStartupLatency_${identifier}`, perc: 5 },
    { name: `StatefulPodStartupLatency_${identifier}`, perc: 0 },
  ].map(({ name, perc }) => ({ name, data: { version: '1.0', dataItems: items(perc) } }));
}

function querySummary({ params }: FakeMeasurement): FakeSummary {
  const queries = z.array(z.object({ name: z.string() })).parse(params['queries']);
  const data = Object.fromEntries(queries.map(({ name }) => [name, 0]));
  const item = { data, unit: textAt(params, 'unit') };
  const name = `GenericPrometheusQuery ${textAt(params, 'metricName')}`;
  return { name, data: { version: textAt(params, 'metricVersion'), dataItems: [item] } };
}

function textAt(params: FakeMeasurement['params'], name: string): string {
  const value = params[name];
  return typeof value === 'string' ? value : '';
}

/** Reads Go's `90s` and `1500ms`. */
function deadline(duration: string): number {
  const match = /^(\d+)(ms|s|m)$/.exec(duration);
  const unit = { ms: 1, s: 1_000, m: 60_000 }[match?.[2] ?? 's'] ?? 1_000;
  return systemClock.now() + Number(match?.[1] ?? 60) * unit;
}

const POLL = 50;
/** The real one looks every 5 s; a stand-in has no time for that. */
const POD_POLL = 100;
