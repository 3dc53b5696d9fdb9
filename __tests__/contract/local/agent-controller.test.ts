import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { installCrds } from '../../../local/agent-controller/install-crds.js';
import { AGENT_RULES } from '../../../local/agent-controller/rbac.js';
import { runAgentController } from '../../../local/agent-controller/run-agent-controller.js';
import { createEtcdClient } from '../../../workload/kube/etcd/grpc-etcd-client.js';
import type { EtcdClient } from '../../../workload/kube/etcd/etcd-client.js';
import { createKubeClient } from '../../../workload/kube/http-kube-client.js';
import { kubeconfigText } from '../../../workload/kube/kubeconfig-text.js';
import type { KubeAccess, KubeClient } from '../../../workload/kube/kube-client.js';
import { systemClock } from '../../../workload/platform/clock.js';
import { waitFor } from '../../../workload/platform/wait.js';
import { engineForTests } from '../../helpers/engines.js';
import { freePorts } from '../../helpers/real-etcd.js';
import { startRealKube, type RealKube } from '../../helpers/real-kube.js';
import { startEngine, type EngineProcess } from '../../helpers/real-process.js';

const PODS = '/api/v1/namespaces/default/pods';
const KEYS = 'cilium/state';

let folder: string;
let kube: RealKube;
let admin: KubeClient;
let etcd: EtcdClient;
let exporter: EngineProcess;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'exporter-'));
  kube = await startRealKube();
  admin = createKubeClient(kube.admin);
  etcd = createEtcdClient(kube.etcd.access);
  const installed = await installCrds({ client: admin, clock: systemClock });
  expect(installed).toMatchObject({ state: 'ready' });
  await grantTo('stranger');
  await made('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  exporter = await startExporter(kube.admin);
}, 120_000);

afterAll(async () => {
  await exporter.kill();
  etcd.close();
  await admin.close();
  await kube.stop();
  await rm(folder, { recursive: true, force: true });
});

// Also when a test fails: a running controller would keep the process alive.
const agents: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.stop();
});

describe('the agent controller with a real API server and a real exporter', () => {
  it('has every node, address and identity exported, and follows them to their end', async () => {
    startAgent();
    await made('/api/v1/nodes', {
      metadata: { name: 'node-1', labels: { zone: 'a' } },
      spec: { podCIDR: '10.1.16.0/24', podCIDRs: ['10.1.16.0/24'] },
    });
    await status('/api/v1/nodes/node-1', {
      addresses: [{ type: 'InternalIP', address: '10.1.0.4' }],
    });
    await Promise.all(['1', '2', '3'].map((n) => pod(`web-${n}`, 'web', `10.1.16.${n}`)));
    await pod('db-1', 'db', '10.1.16.4');
    const web = { '10.1.16.1': 'web-1', '10.1.16.2': 'web-2', '10.1.16.3': 'web-3' };
    const pods = { ...web, '10.1.16.4': 'db-1' };
    const keys = await exported({ nodes: 1, pods, identities: 2 });
    expect(keys.nodes['mesh-001/node-1']).toMatchObject({
      IPAddresses: [
        { Type: 'InternalIP', IP: '10.1.0.4' },
        { Type: 'CiliumInternalIP', IP: '10.1.16.254' },
      ],
      IPv4AllocCIDR: { IP: '10.1.16.0' },
      IPv4HealthIP: '10.1.16.253',
      ClusterID: 1,
      Labels: { zone: 'a' },
    });
    const address = z
      .object({ ID: z.number(), HostIP: z.string(), K8sPodName: z.string() })
      .parse(keys.addresses['10.1.16.4']);
    expect(address).toMatchObject({ HostIP: '10.1.0.4', K8sPodName: 'db-1' });
    expect(keys.identities[String(address.ID)]).toBe(
      'k8s:app=db;' +
        'k8s:io.cilium.k8s.namespace.labels.kubernetes.io/metadata.name=default;' +
        'k8s:io.cilium.k8s.policy.cluster=mesh-001;' +
        'k8s:io.cilium.k8s.policy.serviceaccount=default;' +
        'k8s:io.kubernetes.pod.namespace=default;',
    );
    await admin.request('DELETE', `${PODS}/db-1`, { gracePeriodSeconds: 0 });
    await exported({ nodes: 1, pods: web, identities: 1 });
  }, 60_000);

  it('finds its way after a stop during which pods, nodes and its own objects changed', async () => {
    await admin.request('DELETE', `${PODS}/web-1`, { gracePeriodSeconds: 0 });
    await admin.request('DELETE', `${PODS}/web-2`, { gracePeriodSeconds: 0 });
    await pod('web-2', 'other', '10.1.16.1');
    await admin.request('DELETE', '/apis/cilium.io/v2/namespaces/default/ciliumendpoints/web-3');
    await admin.request('DELETE', '/api/v1/nodes/node-1');
    startAgent();
    const pods = { '10.1.16.1': 'web-2', '10.1.16.3': 'web-3' };
    await exported({ nodes: 0, pods, identities: 2 });
  }, 60_000);

  it('guards its changes: a patch for an object made anew is refused as a conflict', async () => {
    const path = '/apis/cilium.io/v2/namespaces/default/ciliumendpoints/web-3';
    const test = [{ op: 'test', path: '/metadata/uid', value: 'another' }];
    const patched = await admin.patch(path, 'json', test);
    expect(patched).toMatchObject({ ok: false, status: 422 });
    const deleted = await admin.request('DELETE', path, { preconditions: { uid: 'another' } });
    expect(deleted).toMatchObject({ ok: false, status: 409 });
  });
});

function startAgent(): void {
  const stop = new AbortController();
  // By the stranger's token: whatever AGENT_RULES lack shows as 403.
  const client = createKubeClient(kube.stranger);
  const ended = runAgentController({
    client,
    clusterName: 'mesh-001',
    clusterId: 1,
    clock: systemClock,
    signal: stop.signal,
    log: () => undefined,
    options: { identityGrace: 0 },
  });
  agents.push({
    stop: async () => {
      stop.abort();
      await ended;
      await client.close();
    },
  });
}

async function startExporter(access: KubeAccess): Promise<EngineProcess> {
  const { credential } = access;
  if (credential.kind !== 'certificate') throw new Error('the admin has a certificate');
  const names = { cluster: 'c', user: 'u', context: 'x' };
  const server = { server: access.server, caPem: access.caPem ?? '' };
  const kubeconfig = join(folder, 'kubeconfig');
  const store = join(folder, 'etcd.yaml');
  await writeFile(kubeconfig, kubeconfigText({ ...names, ...server, ...credential }));
  await writeFile(store, JSON.stringify({ endpoints: [kube.etcd.access.endpoint] }));
  const [metrics = 0, gops = 0, health = 0] = await freePorts(3);
  return await startEngine(engineForTests('clustermesh-apiserver'), folder, [
    'clustermesh',
    ...['--cluster-name=mesh-001', '--cluster-id=1', `--k8s-kubeconfig-path=${kubeconfig}`],
    ...[`--kvstore-opt=etcd.config=${store}`, '--kvstore-opt=etcd.qps=1000'],
    ...['--cluster-users-enabled=false', '--enable-external-workloads=false'],
    `--prometheus-serve-addr=127.0.0.1:${metrics}`,
    ...[`--gops-port=${gops}`, `--clustermesh-health-port=${health}`],
  ]);
}

async function grantTo(user: string): Promise<void> {
  const name = 'agent-controller';
  const apiGroup = 'rbac.authorization.k8s.io';
  const group = '/apis/rbac.authorization.k8s.io/v1';
  await made(`${group}/clusterroles`, { metadata: { name }, rules: AGENT_RULES });
  await made(`${group}/clusterrolebindings`, {
    metadata: { name },
    roleRef: { apiGroup, kind: 'ClusterRole', name },
    subjects: [{ apiGroup, kind: 'User', name: user }],
  });
}

async function pod(name: string, app: string, ip: string): Promise<void> {
  await made(PODS, {
    metadata: { name, labels: { app, 'pod-template-hash': name } },
    spec: {
      nodeName: 'node-1',
      automountServiceAccountToken: false,
      containers: [{ name: 'c', image: 'none', ports: [{ name: 'web', containerPort: 80 }] }],
    },
  });
  await status(`${PODS}/${name}`, {
    phase: 'Running',
    hostIP: '10.1.0.4',
    podIP: ip,
    podIPs: [{ ip }],
  });
}

async function made(path: string, body: unknown): Promise<void> {
  expect(await admin.request('POST', path, body)).toMatchObject({ ok: true });
}

async function status(path: string, value: unknown): Promise<void> {
  const answer = await admin.patch(`${path}/status`, 'strategic', { status: value });
  expect(answer).toMatchObject({ ok: true });
}

interface Exported {
  readonly nodes: Readonly<Record<string, unknown>>;
  readonly addresses: Readonly<Record<string, unknown>>;
  readonly identities: Readonly<Record<string, unknown>>;
}

interface Expected {
  readonly nodes: number;
  /** The name of the pod at each address. */
  readonly pods: Readonly<Record<string, string>>;
  readonly identities: number;
}

/** Waits until the exporter's etcd holds just these pods and as many of the rest, and gives its keys. */
async function exported(expected: Expected): Promise<Exported> {
  const bounds = { clock: systemClock, budget: 40_000, period: 50 };
  const waited = await waitFor(bounds, async () => {
    const seen: Exported = {
      nodes: await values(`${KEYS}/nodes/v1/`),
      addresses: await values(`${KEYS}/ip/v1/default/`),
      identities: await values(`${KEYS}/identities/v1/id/`),
    };
    const size = (keys: Readonly<Record<string, unknown>>) => Object.keys(keys).length;
    const right =
      size(seen.nodes) === expected.nodes &&
      size(seen.identities) === expected.identities &&
      isDeepStrictEqual(podsOf(seen.addresses), expected.pods);
    return right
      ? { state: 'ready', value: seen }
      : { state: 'waiting', missing: [JSON.stringify(seen)] };
  });
  if (waited.state === 'ready') return waited.value;
  throw new Error(`expected ${JSON.stringify(expected)}, there are ${waited.missing.join()}`);
}

function podsOf(addresses: Exported['addresses']): Readonly<Record<string, string>> {
  const named = z.object({ K8sPodName: z.string() });
  return Object.fromEntries(
    Object.entries(addresses).map(([address, value]) => [address, named.parse(value).K8sPodName]),
  );
}

async function values(prefix: string): Promise<Readonly<Record<string, unknown>>> {
  const { entries } = await etcd.readPrefix(prefix);
  return Object.fromEntries<unknown>(
    entries.map(({ key, value }) => {
      const text = new TextDecoder().decode(value);
      return [
        key.slice(prefix.length),
        text.startsWith('{') ? (JSON.parse(text) as unknown) : text,
      ] as const;
    }),
  );
}
