/**
 * What one runner needs for each cluster when ClusterLoader2 runs as a Job there: it submits, follows
 * a log and looks at a pod. The API servers are one stand-in in a process of its own, so that what is
 * printed is the runner's alone; each says 20 lines a second, as ClusterLoader2 does at `--v=2`.
 *
 *     npx tsx bench/job-executor.ts 1 25 100
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { cl2JobOf, inventoryOfTwo } from '../__tests__/helpers/cl2-plan.js';
import { MIB } from '../model/quantity.js';
import { jobExecutor } from '../workload/cl2/executors/job-executor.js';
import { DEFAULT_RESOURCES } from '../workload/cl2/executors/job-settings.js';
import type { Cl2Execution } from '../workload/cl2/executors/executor.js';
import type { Cl2Job } from '../workload/cl2/generate.js';
import { createKubeClient } from '../workload/kube/http-kube-client.js';
import type { KubeClient } from '../workload/kube/kube-client.js';
import { createPodStreams } from '../workload/kube/pod-streams.js';
import { systemClock } from '../workload/platform/clock.js';

const LINES_PER_SECOND = 20;
const SECONDS = 20;
/** Stand-in API servers that have a Job. */
const started = new Set<string>();

const POD = {
  metadata: { name: 'clusterloader2-abcde', creationTimestamp: '2026-05-15T02:00:00Z' },
  spec: { nodeName: 'n' },
  status: {
    phase: 'Running',
    containerStatuses: ['clusterloader2', 'results'].map((name) => ({
      name,
      state: { running: {} },
    })),
  },
};

if (process.argv[2] === 'serve') serve(process.argv[3] ?? '');
else await measure(process.argv.slice(2).map(Number));

async function measure(counts: readonly number[]): Promise<void> {
  const job = await cl2JobOf('event-throughput');
  const server = spawn(
    process.execPath,
    [...['--import', 'tsx', fileURLToPath(import.meta.url), 'serve', job.run.id]],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const [url] = (await once(createInterface({ input: server.stdout }), 'line')) as [string];
  for (const count of counts.length === 0 ? [1, 25, 100] : counts) await one(count, url, job);
  server.kill('SIGKILL');
}

async function one(count: number, url: string, job: Cl2Job): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'job-executor-'));
  const before = process.memoryUsage().rss;
  const lines = { count: 0 };
  const started = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      start({ url: `${url}/${count}-${index}`, folder, job, lines }),
    ),
  );
  await systemClock.sleep(2_000);
  const cpu = process.cpuUsage();
  const from = lines.count;
  await systemClock.sleep(SECONDS * 1_000);
  const { user, system } = process.cpuUsage(cpu);
  const descriptors = (await readdir('/proc/self/fd')).length;
  const figures = {
    clusters: count,
    rssMib: Math.round(process.memoryUsage().rss / MIB),
    perClusterMib: Number(((process.memoryUsage().rss - before) / MIB / count).toFixed(2)),
    cpuPercent: Number(((user + system) / 10_000 / SECONDS).toFixed(1)),
    linesPerSecond: Math.round((lines.count - from) / SECONDS),
    descriptors,
  };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
  for (const { execution, client } of started) {
    await execution.stop();
    await execution.collect();
    await client.close();
  }
  await rm(folder, { recursive: true });
}

interface Starting {
  readonly url: string;
  readonly folder: string;
  readonly job: Cl2Job;
  readonly lines: { count: number };
}

async function start({ url, folder, job, lines }: Starting): Promise<{
  readonly execution: Cl2Execution;
  readonly client: KubeClient;
}> {
  const [cluster] = inventoryOfTwo('kubeconfig').clusters;
  if (cluster === undefined) throw new Error('there is no cluster');
  const client = createKubeClient({ server: url, credential: { kind: 'none' } });
  const executor = jobExecutor({
    settings: { image: 'i', resources: DEFAULT_RESOURCES, nodeSelector: {}, settings: {} },
    clock: systemClock,
    openStreams: createPodStreams,
  });
  const started = await executor.start({
    ...{ job, cluster, client, target: 'kubeconfig' },
    input: join(folder, 'input'),
    report: join(folder, 'report'),
    secret: join(folder, 'private'),
    onLine: () => void (lines.count += 1),
    signal: new AbortController().signal,
  });
  if (started.state === 'refused') throw started.error;
  return { execution: started.execution, client };
}

/** API servers by the first part of the path. */
function serve(runId: string): void {
  const server = createServer((request, response) => {
    answer(runId, request, response);
  });
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
  });
}

function answer(runId: string, request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  const { url = '', method } = request;
  const cluster = url.split('/')[1] ?? '';
  if (url.includes('/log?')) {
    followed(response);
    return;
  }
  if (method === 'DELETE' && url.includes('/jobs/')) started.delete(cluster);
  if (method === 'GET' && url.includes('/jobs/')) {
    json(response, 404, { kind: 'Status', code: 404, reason: 'NotFound', message: 'no Job' });
    return;
  }
  const labels = { 'app.kubernetes.io/managed-by': 'meshscale', 'meshscale/run': runId };
  const items = started.has(cluster) ? [POD] : [];
  if (method === 'POST' && url.endsWith('/jobs')) started.add(cluster);
  json(response, method === 'POST' ? 201 : 200, {
    metadata: { name: 'meshscale-cl2', uid: 'u', labels },
    items,
  });
}

function followed(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/plain' });
  const timer = setInterval(() => {
    const time = new Date().toISOString();
    response.write(
      `${time} I0515 02:00:00.000000       1 simple_test_executor.go:1] ${'x'.repeat(120)}\n`,
    );
  }, 1_000 / LINES_PER_SECOND);
  response.on('close', () => {
    clearInterval(timer);
  });
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
