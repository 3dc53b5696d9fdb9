import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kubeconfigOf } from '../../workload/cl2/kubeconfig-of.js';
import { createKubeClient } from '../../workload/kube/http-kube-client.js';
import type { KubeAccess, KubeClient } from '../../workload/kube/kube-client.js';
import { systemClock } from '../../workload/platform/clock.js';
import { followProcess, type FollowedProcess } from '../../workload/platform/followed-process.js';
import { startFakeKubelet, type FakeKubelet } from './fake-kubelet.js';
import { accountAccess, writeInput, type PodLike } from './played-pod.js';

/** What happens to the pod of a Job. */
export type Fate =
  | 'runs'
  | 'unschedulable'
  | 'image-not-there'
  | 'no-shell'
  | 'never-made'
  | { readonly evictedAt: string };

/** Plays the Job controller, the scheduler and a node with its kubelet for Jobs of ClusterLoader2. */
export interface JobPlayer {
  readonly kubelet: FakeKubelet;
  fate: Fate;
  /** Called with every line that ClusterLoader2 says in its pod. */
  onLine: (line: string) => void;
  /** Names of the pods that were played so far. */
  readonly played: readonly string[];
  stop(): Promise<void>;
}

/** What is played with. */
export interface PlayerSetting {
  /** May do everything. */
  readonly admin: KubeAccess;
  /** The executable that the image stands for. */
  readonly binary: string;
  /** The context by which the stand-in finds its ending. */
  readonly role: string;
  /** False where real controllers make and schedule the pods. @default true */
  readonly makesPods?: boolean;
  readonly node?: string;
}

interface World {
  readonly setting: PlayerSetting;
  readonly client: KubeClient;
  readonly kubelet: FakeKubelet;
  readonly root: string;
  readonly running: Map<string, Promise<void>>;
  readonly processes: Map<string, FollowedProcess>;
  readonly player: { fate: Fate; onLine: (line: string) => void };
  over: boolean;
}

const NAMESPACE = 'meshscale-cl2';
const PODS = `/api/v1/namespaces/${NAMESPACE}/pods`;
const BATCH = `/apis/batch/v1/namespaces/${NAMESPACE}/jobs`;

export async function startJobPlayer(setting: PlayerSetting): Promise<JobPlayer> {
  const client = createKubeClient(setting.admin);
  const kubelet = await startFakeKubelet();
  const root = await mkdtemp(join(tmpdir(), 'job-player-'));
  const played: string[] = [];
  const player = { fate: 'runs' as Fate, onLine: NOBODY };
  const running = new Map<string, Promise<void>>();
  const world: World = {
    ...{ setting, client, kubelet, root, running, player },
    processes: new Map(),
    over: false,
  };
  await makeNode(world);
  const looping = loop(world, played);
  return Object.assign(player, {
    kubelet,
    played,
    stop: async () => {
      world.over = true;
      await looping;
      for (const process of world.processes.values()) process.signalGroup('SIGKILL');
      await Promise.all(running.values());
      await kubelet.stop();
      await client.close();
      await rm(root, { recursive: true, force: true });
    },
  });
}

function nodeName({ setting }: World): string {
  return setting.node ?? 'stand-in';
}

async function makeNode(world: World): Promise<void> {
  const { client, kubelet } = world;
  const name = nodeName(world);
  const labels = { 'kubernetes.io/os': 'linux', 'meshscale.test/node': name };
  const made = await client.request('POST', '/api/v1/nodes', { metadata: { name, labels } });
  if (!made.ok) return;
  await client.patch(`/api/v1/nodes/${name}/status`, 'merge', {
    status: {
      addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
      daemonEndpoints: { kubeletEndpoint: { Port: kubelet.port } },
      allocatable: { cpu: '8', memory: '16Gi', pods: '50' },
      capacity: { cpu: '8', memory: '16Gi', pods: '50' },
    },
  });
}

async function loop(world: World, played: string[]): Promise<void> {
  const { client, running } = world;
  for (let round = 1; !world.over; round += 1) {
    // A mesh that is mended takes away nodes that it does not know.
    if (round % NODE_ROUNDS === 0) await makeNode(world);
    if (world.setting.makesPods !== false) await makePods(world);
    const pods = await client.request('GET', PODS);
    const items = pods.ok ? (pods.body as { items: PodLike[] }).items : [];
    for (const pod of items) {
      const { name, deletionTimestamp } = pod.metadata;
      if (deletionTimestamp !== undefined) {
        world.processes.get(name)?.signalGroup('SIGTERM');
        await client.request('DELETE', `${PODS}/${name}`, { gracePeriodSeconds: 0 });
      } else if (!running.has(name) && pod.spec.nodeName === nodeName(world)) {
        played.push(name);
        running.set(name, play(world, pod));
      }
    }
    await systemClock.sleep(50);
  }
}

/** A pod for each Job that has none, as the Job controller would make it. */
async function makePods({ client, player, running, ...world }: World): Promise<void> {
  if (player.fate === 'never-made') return;
  const answer = await client.request('GET', BATCH);
  if (!answer.ok) return;
  const { items } = answer.body as {
    items: {
      metadata: { name: string; uid: string };
      spec: { template: { metadata: { labels: object }; spec: object } };
    }[];
  };
  for (const { metadata, spec } of items) {
    const name = `${metadata.name}-${metadata.uid.slice(0, 5)}`;
    if (running.has(name)) continue;
    const { template } = spec;
    const labels = { ...template.metadata.labels, 'job-name': metadata.name };
    const scheduled =
      player.fate === 'unschedulable' ? {} : { nodeName: world.setting.node ?? 'stand-in' };
    await client.request('POST', PODS, {
      metadata: { name, labels },
      spec: { ...template.spec, ...scheduled },
    });
    if (player.fate === 'unschedulable') {
      running.set(name, Promise.resolve());
      const conditions = [
        {
          type: 'PodScheduled',
          status: 'False',
          reason: 'Unschedulable',
          message: '0/1 nodes are available: 1 Insufficient memory.',
        },
      ];
      await client.patch(`${PODS}/${name}/status`, 'merge', {
        status: { phase: 'Pending', conditions },
      });
    }
  }
}

async function play(world: World, pod: PodLike): Promise<void> {
  const { player, kubelet } = world;
  const { name } = pod.metadata;
  const folder = join(world.root, name);
  await mkdir(join(folder, 'results'), { recursive: true });
  await writeInput(world.client, pod, join(folder, 'input'));
  kubelet.mount(name, folder);
  if (player.fate === 'image-not-there') {
    const state = {
      waiting: {
        reason: 'ImagePullBackOff',
        message: 'Back-off pulling image "nowhere/cl2:1": not found',
      },
    };
    await setStatus(world, name, 'Pending', state, { waiting: { reason: 'PodInitializing' } });
    return;
  }
  const helper =
    player.fate === 'no-shell'
      ? {
          terminated: {
            exitCode: 128,
            reason: 'StartError',
            message: 'exec: "sh": executable file not found in $PATH',
          },
        }
      : RUNNING;
  await setStatus(world, name, 'Running', RUNNING, helper);
  if (player.fate === 'no-shell') return;
  await runEngine(world, pod, folder);
}

async function runEngine(world: World, pod: PodLike, folder: string): Promise<void> {
  const { player, kubelet, setting } = world;
  const { name } = pod.metadata;
  const log = kubelet.log(name, 'clusterloader2');
  const kubeconfig = join(folder, 'kubeconfig');
  await writeFile(kubeconfig, kubeconfigOf(await accountAccess(world.client), setting.role));
  const args = pod.spec.containers.find((one) => one.name === 'clusterloader2')?.args ?? [];
  const fallen = { evicted: false };
  const process = await followProcess({
    command: setting.binary,
    args: args.map((word) =>
      word === '--run-from-cluster=true'
        ? `--kubeconfig=${kubeconfig}`
        : word.replace('/meshscale', folder),
    ),
    cwd: folder,
    env: { TZ: 'UTC', PATH: '/usr/bin:/bin' },
    onLine: (line) => {
      log.add(line);
      player.onLine(line);
      const { fate } = player;
      if (typeof fate !== 'object' || fallen.evicted || !line.includes(fate.evictedAt)) return;
      fallen.evicted = true;
      void evict(world, name);
    },
  });
  if (process === 'not-found') throw new Error(`${setting.binary} cannot be run`);
  world.processes.set(name, process);
  const end = await process.ended;
  world.processes.delete(name);
  log.end();
  if (fallen.evicted || world.over) return;
  const exitCode = end.state === 'exited' ? end.code : 137;
  await setStatus(
    world,
    name,
    'Running',
    { terminated: { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error' } },
    RUNNING,
  );
}

/** As a kubelet does whose node has too little memory. */
async function evict(world: World, name: string): Promise<void> {
  world.processes.get(name)?.signalGroup('SIGKILL');
  const status = {
    phase: 'Failed',
    reason: 'Evicted',
    message: 'The node was low on resource: memory.',
  };
  await world.client.patch(`${PODS}/${name}/status`, 'merge', { status });
}

async function setStatus(
  world: World,
  name: string,
  phase: string,
  engine: object,
  helper: object,
): Promise<void> {
  const containerStatuses = [
    containerStatus('clusterloader2', engine),
    containerStatus('results', helper),
  ];
  const conditions = [{ type: 'PodScheduled', status: 'True' }];
  await world.client.patch(`${PODS}/${name}/status`, 'merge', {
    status: { phase, conditions, containerStatuses },
  });
}

function containerStatus(name: string, state: object): object {
  return { name, state, image: 'i', imageID: 'i', ready: true, restartCount: 0 };
}

const RUNNING = { running: { startedAt: '2026-05-15T02:00:00Z' } };
/** Until a test wants to hear lines. */
const NOBODY: JobPlayer['onLine'] = () => undefined;
const NODE_ROUNDS = 20;
