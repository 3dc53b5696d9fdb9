/*
 * How many pod changes a second the agent controller follows: first as fast as it can, then at a rate
 * kept for ten seconds. A pod change is a pod that got another address. It runs as a process of its own,
 * as in a mesh, so that whoever changes the pods does not share its event loop.
 * Run: MESHSCALE_ENGINE_ETCD=… MESHSCALE_ENGINE_KUBE_APISERVER=… npx tsx bench/agent-controller.ts
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRealKube } from '../__tests__/helpers/real-kube.js';
import { installCrds } from '../local/agent-controller/install-crds.js';
import { kubeconfigOf } from '../workload/cl2/kubeconfig-of.js';
import { createKubeClient } from '../workload/kube/http-kube-client.js';
import { millisecondsBetween, systemClock as clock } from '../workload/platform/clock.js';
import { cpuSecondsOf } from './process-cost.js';

const PODS = 1_000;
const RATE_PER_SECOND = 200;
const SECONDS = 10;
const AT_ONCE = 32;
/** Nothing is waited for longer: then it does not keep up at all. */
const BUDGET_MS = 120_000;
const PATH = '/api/v1/namespaces/default/pods';
const ENDPOINTS = '/apis/cilium.io/v2/namespaces/default/ciliumendpoints';

const kube = await startRealKube();
const admin = createKubeClient(kube.admin);
const folder = await mkdtemp(join(tmpdir(), 'agent-controller-'));
let agent: ChildProcess | undefined;
try {
  await installCrds({ client: admin, clock });
  await must('POST', '/api/v1/namespaces/default/serviceaccounts', {
    metadata: { name: 'default' },
  });
  await inParallel(PODS, makePod);
  const start = clock.monoNs();
  agent = await startAgent();
  await until(0);
  const catchUp = secondsSince(start);
  tell(`${PODS} pods found at the start: ${(PODS / catchUp).toFixed(0)} endpoints/s`);
  const changes = RATE_PER_SECOND * SECONDS;
  const paced = clock.monoNs();
  await inParallel(changes, async (index) => {
    const due = (index / RATE_PER_SECOND) * 1_000 - millisecondsBetween(paced, clock.monoNs());
    if (due > 0) await clock.sleep(due);
    await setAddress(index % PODS, 1 + Math.floor(index / PODS));
  });
  const wrote = secondsSince(paced);
  const cpu = cpuSecondsOf(agent.pid ?? 0);
  await until(Math.ceil(changes / PODS));
  const behind = secondsSince(paced) - wrote;
  tell(
    `${changes} changes at ${(changes / wrote).toFixed(0)}/s: all followed ${(behind * 1_000).toFixed(0)} ms after the last; ${cpu.toFixed(1)} CPU-s of the agent controller so far`,
  );
} finally {
  await stopAgent(agent);
  await admin.close();
  await kube.stop();
  await rm(folder, { recursive: true, force: true });
}

async function startAgent(): Promise<ChildProcess> {
  const kubeconfig = join(folder, 'kubeconfig');
  await writeFile(kubeconfig, kubeconfigOf(kube.admin, 'mesh-001'), { mode: 0o600 });
  const flags = [`--kubeconfig=${kubeconfig}`, '--cluster-name=mesh-001', '--cluster-id=1'];
  const command = ['bin/meshscale.js', 'internal', 'agent-controller', ...flags, '--port=0'];
  return spawn(process.execPath, command, { stdio: ['ignore', 'ignore', 'inherit'] });
}

async function stopAgent(child: ChildProcess | undefined): Promise<void> {
  if (child?.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function makePod(index: number): Promise<void> {
  const containers = [{ name: 'c', image: 'none' }];
  const spec = { nodeName: 'node-1', automountServiceAccountToken: false, containers };
  await must('POST', PATH, { metadata: { name: podName(index), labels: { app: 'web' } }, spec });
  await setAddress(index, 0);
}

async function setAddress(index: number, generation: number): Promise<void> {
  const podIP = addressOf(index, generation);
  const status = { phase: 'Running', hostIP: '10.1.0.4', podIP, podIPs: [{ ip: podIP }] };
  const answer = await admin.patch(`${PATH}/${podName(index)}/status`, 'merge', { status });
  if (!answer.ok) throw new Error(answer.message);
}

/** Waits until every pod's endpoint has the address of that generation. */
async function until(generation: number): Promise<void> {
  const start = clock.monoNs();
  for (;;) {
    const list = await admin.request('GET', ENDPOINTS);
    const items = (list.ok ? list.body : { items: [] }) as { items: readonly Endpoint[] };
    const addresses = new Set(
      items.items.map(({ status }) => status?.networking?.addressing?.[0]?.ipv4),
    );
    const missing = Array.from({ length: PODS }, (_, index) => index).filter(
      (index) => !addresses.has(addressOf(index, generation)),
    );
    if (missing.length === 0) return;
    if (millisecondsBetween(start, clock.monoNs()) > BUDGET_MS) {
      throw new Error(`${missing.length} of ${PODS} endpoints are behind after 120 s`);
    }
    await clock.sleep(20);
  }
}

interface Endpoint {
  readonly status?: {
    readonly networking?: { readonly addressing?: readonly { readonly ipv4?: string }[] };
  };
}

async function inParallel(count: number, deed: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await deed((next += 1) - 1);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function must(method: 'POST', path: string, body: unknown): Promise<void> {
  const answer = await admin.request(method, path, body);
  if (!answer.ok) throw new Error(`${path}: ${answer.message}`);
}

function podName(index: number): string {
  return `pod-${index}`;
}

function addressOf(index: number, generation: number): string {
  return `10.${1 + generation}.${16 + Math.floor(index / 250)}.${(index % 250) + 1}`;
}

function secondsSince(start: bigint): number {
  return millisecondsBetween(start, clock.monoNs()) / 1_000;
}

function tell(line: string): void {
  process.stdout.write(`${line} (load ${loadavg()[0]?.toFixed(1) ?? '?'})\n`);
}
