/*
 * How many pod changes a second the agent controller follows: first as fast as it can, then at a rate
 * kept for ten seconds. A pod change is a pod that got another address.
 * Run: MESHSCALE_ENGINE_ETCD=… MESHSCALE_ENGINE_KUBE_APISERVER=… npx tsx bench/agent-controller.ts
 */
import { loadavg } from 'node:os';
import { startRealKube } from '../__tests__/helpers/real-kube.js';
import { installCrds } from '../local/agent-controller/install-crds.js';
import { runAgentController } from '../local/agent-controller/run-agent-controller.js';
import { createKubeClient } from '../workload/kube/http-kube-client.js';
import { millisecondsBetween, systemClock as clock } from '../workload/platform/clock.js';

const PODS = 1_000;
const RATE_PER_SECOND = 200;
const SECONDS = 10;
const AT_ONCE = 16;
/** Nothing is waited for longer: then it does not keep up at all. */
const BUDGET_MS = 120_000;
const PATH = '/api/v1/namespaces/default/pods';
const ENDPOINTS = '/apis/cilium.io/v2/namespaces/default/ciliumendpoints';

const kube = await startRealKube();
const admin = createKubeClient(kube.admin);
const agentClient = createKubeClient(kube.admin, { connections: 32 });
const stop = new AbortController();
let agent: Promise<void> | undefined;
try {
  await installCrds({ client: admin, clock });
  await must('POST', '/api/v1/namespaces/default/serviceaccounts', {
    metadata: { name: 'default' },
  });
  await inParallel(PODS, makePod);
  const start = clock.monoNs();
  const { signal } = stop;
  const names = { clusterName: 'mesh-001', clusterId: 1 };
  agent = runAgentController({
    client: agentClient,
    ...names,
    clock,
    signal,
    log: () => undefined,
  });
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
  await until(Math.ceil(changes / PODS));
  const behind = secondsSince(paced) - wrote;
  tell(
    `${changes} changes at ${(changes / wrote).toFixed(0)}/s: all followed ${(behind * 1_000).toFixed(0)} ms after the last`,
  );
} finally {
  stop.abort();
  await agent;
  await agentClient.close();
  await admin.close();
  await kube.stop();
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
