import type { Milliseconds } from '../../model/quantity.js';
import type { PhaseAction, ScenarioPhase } from '../../model/scenario-spec.js';
import type { KubeClient } from '../kube/kube-client.js';
import { millisecondsBetween, type Clock } from '../platform/clock.js';
import { createDeployments, createNamespaces, createServices, deleteWorkload } from './actions.js';
import { restartWorkload, scaleWorkload, type Writes, type WriteSetting } from './actions.js';
import type {
  ActionFailure,
  ActionReport,
  ClusterEngine,
  EngineFindings,
} from './cluster-engine.js';
import { deploymentPlaces, workloadSelector, type ObjectSetting } from './objects.js';
import { startupLatencies } from './pod-startup.js';
import { joinReports, rolloutReport, writeReport } from './reports.js';
import type { WantedState } from './workload-state.js';
import { watchWorkload, type WorkloadWatch } from './workload-watch.js';

/** What the native engine works with. */
export interface NativeEngineOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly objects: ObjectSetting;
}

interface EngineState {
  readonly setting: WriteSetting;
  readonly watch: WorkloadWatch;
  /** What the last action brought the cluster to. */
  wanted: WantedState;
  restarts: number;
}

/** Our own executor of a scenario's phases on one cluster, through its Kubernetes API. */
export function createNativeEngine(options: NativeEngineOptions): ClusterEngine {
  const stopped = new AbortController();
  const { client, clock, objects } = options;
  const selector = workloadSelector(objects);
  const state: EngineState = {
    setting: options,
    watch: watchWorkload({ client, clock, selector, signal: stopped.signal }),
    wanted: { deployments: new Map(), pods: 0 },
    restarts: 0,
  };
  return {
    start: (signal) => openWatches(state, signal),
    act: (phase, budget, signal) => {
      state.watch.startups.enter(phase.name);
      return act(state, phase, budget, signal);
    },
    findings: (phases) => findings(state, phases),
    stop: () => {
      stopped.abort(new Error('the engine was stopped'));
    },
  };
}

async function openWatches(
  { watch, setting }: EngineState,
  signal: AbortSignal,
): Promise<ActionFailure | undefined> {
  const over = new AbortController();
  const sleep = setting.clock
    .sleep(OPEN_BUDGET, AbortSignal.any([signal, over.signal]))
    .then(() => 'late' as const);
  try {
    const first = await Promise.race([watch.open.then(() => 'open' as const), sleep]);
    if (first === 'open') return undefined;
    return {
      cause: 'infrastructure',
      code: 'api-server-unreachable',
      text: `no watch of its pods and Deployments could be opened within ${OPEN_BUDGET / 1_000} s`,
      next: 'meshscale preflight says what is wrong with this cluster',
    };
  } finally {
    sleep.catch(() => undefined);
    over.abort();
  }
}

async function act(
  state: EngineState,
  phase: ScenarioPhase,
  budget: Milliseconds,
  signal: AbortSignal,
): Promise<ActionReport> {
  const { action } = phase;
  if (action.kind === 'none') return { steps: [] };
  const { clock } = state.setting;
  const end = clock.monoNs() + BigInt(Math.round(budget * 1e6));
  const left = (): Milliseconds => Math.max(0, millisecondsBetween(clock.monoNs(), end));
  switch (action.kind) {
    case 'create':
      return await create(state, phase, left, signal);
    case 'restart':
      return await restart(state, phase, action, left, signal);
    case 'scale': {
      const writes = await scaleWorkload(state.setting, action.replicas, phase.rate, signal);
      return await settle(state, phase, writes, action.replicas, left, signal);
    }
    case 'delete': {
      const writes = await deleteWorkload(state.setting, phase.rate, signal);
      return await settle(state, phase, writes, undefined, left, signal);
    }
  }
}

async function create(
  state: EngineState,
  phase: ScenarioPhase,
  left: () => Milliseconds,
  signal: AbortSignal,
): Promise<ActionReport> {
  const namespaces = await createNamespaces(state.setting, signal);
  const first = writeReport(`${phase.name}: create namespaces`, namespaces);
  if (first.failure !== undefined) return first;
  const services = await createServices(state.setting, signal);
  const next = writeReport(`${phase.name}: create services`, services);
  if (next.failure !== undefined) return joinReports([first, next]);
  const writes = await createDeployments(state.setting, phase.rate, signal);
  const { replicasPerDeployment } = state.setting.objects.workload;
  const last = await settle(state, phase, writes, replicasPerDeployment, left, signal);
  return joinReports([first, next, last]);
}

async function restart(
  state: EngineState,
  phase: ScenarioPhase,
  action: PhaseAction & { kind: 'restart' },
  left: () => Milliseconds,
  signal: AbortSignal,
): Promise<ActionReport> {
  const reports: ActionReport[] = [];
  for (let time = 1; time <= action.times; time += 1) {
    const before = state.watch.state.runningPods();
    state.restarts += 1;
    const writes = await restartWorkload(state.setting, state.restarts, phase.rate, signal);
    const replicas = state.wanted.pods / Math.max(1, state.wanted.deployments.size);
    const report = await settle(state, phase, writes, replicas, left, signal, before);
    reports.push({ ...report, replaced: replacedPods(state, before) });
    if (report.failure !== undefined) break;
  }
  return joinReports(reports);
}

/** Waits until the watches show what was written: `replicas` of each Deployment, or nothing at all. */
async function settle(
  state: EngineState,
  phase: ScenarioPhase,
  writes: Writes,
  replicas: number | undefined,
  left: () => Milliseconds,
  signal: AbortSignal,
  gone?: ReadonlySet<string>,
): Promise<ActionReport> {
  const written = writeReport(`${phase.name}: ${phase.action.kind}`, writes);
  const places = replicas === undefined ? [] : deploymentPlaces(state.setting.objects);
  const known = state.wanted.deployments;
  state.wanted = {
    deployments: new Map(
      places.map(({ namespace, name }) => {
        const key = `${namespace}/${name}`;
        return [key, writes.generations.get(key) ?? known.get(key) ?? 1];
      }),
    ),
    pods: places.length * (replicas ?? 0),
    gone,
  };
  if (written.failure !== undefined) return written;
  const awaited = await state.watch.waitFor(state.wanted, left(), signal);
  const title = `${phase.name}: wait until ${replicas === undefined ? 'gone' : 'running'}`;
  return joinReports([written, rolloutReport(title, awaited, phase)]);
}

function replacedPods(
  { watch: { state }, wanted }: EngineState,
  before: ReadonlySet<string>,
): NonNullable<ActionReport['replaced']> {
  const gone = [...before].filter((uid) => !state.hasPod(uid)).length;
  const fresh = [...state.runningPods()].filter((uid) => !before.has(uid)).length;
  return { expected: wanted.pods, replaced: Math.min(gone, fresh) };
}

function findings({ watch }: EngineState, phases: readonly string[]): EngineFindings {
  const pods = watch.startups.finished(phases);
  const { relists, losses } = watch.counts();
  return {
    podStartup: {
      all: startupLatencies(pods),
      stateless: startupLatencies(pods.filter(({ stateful }) => !stateful)),
      stateful: startupLatencies(pods.filter(({ stateful }) => stateful)),
    },
    remarks: [
      `${pods.length} pods were timed from creation to running`,
      `watches: ${losses} lost, ${relists} lists made anew`,
    ],
  };
}

/** Ours: a local API server under a full load answers a list within seconds. */
const OPEN_BUDGET: Milliseconds = 30_000;
