import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jobExecutor } from '../../workload/cl2/executors/job-executor.js';
import type { Cl2Executor, Cl2Launch } from '../../workload/cl2/executors/executor.js';
import {
  DEFAULT_RESOURCES,
  JOB_BUDGETS,
  type JobBudgets,
} from '../../workload/cl2/executors/job-settings.js';
import { createKubeClient } from '../../workload/kube/http-kube-client.js';
import type { KubeAccess, KubeClient } from '../../workload/kube/kube-client.js';
import { createPodStreams } from '../../workload/kube/pod-streams.js';
import { systemClock } from '../../workload/platform/clock.js';
import { cl2JobOf, inventoryOfTwo } from './cl2-plan.js';
import { startJobPlayer, type JobPlayer } from './job-player.js';
import { startRealKube, type RealKube } from './real-kube.js';

/** A real API server on which Jobs of ClusterLoader2 are played, and launches on it. */
export interface JobWorld {
  readonly kube: RealKube;
  readonly player: JobPlayer;
  /** What stands for the image: says its lines, writes a report, ends. */
  image(script: readonly string[]): Promise<void>;
  /** A launch as a runner makes it, with a client of its own. */
  launch(access?: KubeAccess): Promise<TestLaunch>;
  executor(budgets?: Partial<JobBudgets>): Cl2Executor;
  /** Removes what a test has left, by its names. */
  clean(): Promise<void>;
  stop(): Promise<void>;
}

/** A launch, and what came of it. */
export interface TestLaunch extends Cl2Launch {
  readonly client: KubeClient;
  /** Of ClusterLoader2; what the executor says itself is in `told`. */
  readonly lines: string[];
  readonly told: string[];
  /** Files of the report by name. */
  files(): Promise<Readonly<Record<string, number>>>;
  read(name: string): Promise<string>;
}

export async function startJobWorld(): Promise<JobWorld> {
  const kube = await startRealKube();
  const root = await mkdtemp(join(tmpdir(), 'job-world-'));
  const binary = join(root, 'image.sh');
  const player = await startJobPlayer({ admin: kube.admin, binary, role: 'mesh-001' });
  const admin = createKubeClient(kube.admin);
  const clients: KubeClient[] = [admin];
  let launches = 0;
  return {
    kube,
    player,
    image: async (script) => {
      await writeFile(binary, ['#!/bin/sh', REPORT_DIR, ...script, ''].join('\n'));
      await chmod(binary, 0o755);
    },
    launch: async (access = kube.admin) => {
      const client = createKubeClient(access);
      clients.push(client);
      launches += 1;
      return await launchIn(join(root, `launch-${launches}`), client, admin);
    },
    executor: (budgets = {}) =>
      jobExecutor({
        settings: {
          ...{ image: 'registry.test/cl2:1', nodeSelector: {}, settings: {} },
          resources: DEFAULT_RESOURCES,
        },
        clock: systemClock,
        openStreams: createPodStreams,
        budgets: { ...JOB_BUDGETS, ...budgets },
      }),
    clean: async () => {
      player.fate = 'runs';
      player.onLine = () => undefined;
      const base = '/apis/batch/v1/namespaces/meshscale-cl2/jobs/clusterloader2';
      await admin.request('DELETE', base, { propagationPolicy: 'Background' });
      const pods = '/api/v1/namespaces/meshscale-cl2/pods';
      await admin.request('DELETE', pods, { gracePeriodSeconds: 0 });
    },
    stop: async () => {
      await player.stop();
      for (const client of clients) await client.close();
      await kube.stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}

async function launchIn(
  folder: string,
  client: KubeClient,
  admin: KubeClient,
): Promise<TestLaunch> {
  const job = await cl2JobOf('config-smoke');
  const [cluster] = inventoryOfTwo('kubeconfig').clusters;
  if (cluster === undefined) throw new Error('there is no cluster');
  for (const name of job.run.namespaces) {
    await admin.request('POST', '/api/v1/namespaces', { metadata: { name } });
  }
  const report = join(folder, 'report');
  const lines: string[] = [];
  const told: string[] = [];
  return {
    ...{ job, cluster, client, report, lines, told, target: 'kubeconfig' },
    input: join(folder, 'input'),
    secret: join(folder, 'private'),
    onLine: (line) => void (line.startsWith('meshscale: ') ? told : lines).push(line),
    signal: new AbortController().signal,
    files: async () => {
      const names = await readdir(report).catch(() => []);
      const sizes = await Promise.all(
        names.map(async (name) => [name, (await readFile(join(report, name))).length] as const),
      );
      return Object.fromEntries(sizes);
    },
    read: (name) => readFile(join(report, name), 'utf8'),
  };
}

/** As ClusterLoader2 finds it. */
const REPORT_DIR = [
  'for word in "$@"; do case "$word" in --report-dir=*) report="${word#--report-dir=}";; esac; done',
  'mkdir -p "$report"',
].join('\n');
