import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { collectPodLogs } from '../../../workload/cl2/pod-logs.js';
import { withPodLogs } from '../../../workload/cl2/with-pod-logs.js';
import { createKubeClient } from '../../../workload/kube/http-kube-client.js';
import type { KubeClient } from '../../../workload/kube/kube-client.js';
import type { ClusterEngine } from '../../../workload/native/cluster-engine.js';
import { systemClock } from '../../../workload/platform/clock.js';
import { startLoopbackServer, type LoopbackServer } from '../../helpers/loopback-server.js';
import { withTemporaryFolder } from '../../helpers/temporary-folder.js';

const NEVER = new AbortController().signal;
const TOKEN = 'a-token-that-nobody-may-read';

function pod(name: string, containers: readonly object[], initContainerStatuses: object[] = []) {
  const metadata = { name, namespace: 'kube-system' };
  return { metadata, status: { containerStatuses: containers, initContainerStatuses } };
}

const ready = (name: string, restartCount = 0) => ({ name, restartCount, ready: true });
const PODS: Readonly<Record<string, readonly object[]>> = {
  'k8s-app=clustermesh-apiserver': [
    pod('clustermesh-apiserver-1', [ready('etcd'), ready('kvstoremesh', 2)], [ready('etcd-init')]),
  ],
  'k8s-app=cilium': [pod('cilium-1', [ready('cilium-agent')])],
  'io.cilium/app=operator': [
    pod('operator-1', [{ name: 'cilium-operator', restartCount: 0, ready: false }]),
  ],
};

let server: LoopbackServer;
let client: KubeClient;
let asked: string[];
let answer: (path: string) => string | undefined;
beforeEach(async () => {
  asked = [];
  answer = () => `token: ${TOKEN}\nall is well\n`;
  server = await startLoopbackServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://x');
    const selector = url.searchParams.get('labelSelector');
    if (selector !== null) {
      const items = PODS[selector] ?? [];
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ items }));
      return;
    }
    const previous = url.searchParams.get('previous') === 'true' ? '.previous' : '';
    const path = `${url.pathname.split('/')[6] ?? ''}/${url.searchParams.get('container') ?? ''}${previous}`;
    asked.push(path);
    const text = answer(path);
    response.writeHead(text === undefined ? 400 : 200, { 'content-type': 'text/plain' });
    response.end(text ?? 'no such container');
  });
  client = createKubeClient({
    server: server.url,
    credential: { kind: 'token', token: TOKEN },
  });
});
afterEach(async () => {
  await client.close();
  await server.close();
});

function collect(folder: string, budget = 60_000) {
  return collectPodLogs({ client, clock: systemClock, folder, budget, signal: NEVER });
}

describe('logs of the mesh’s own pods', () => {
  it('are those of every container, current and previous, those in trouble first', async () => {
    await withTemporaryFolder(async (folder) => {
      expect(await collect(folder)).toEqual({ files: 6, remarks: [] });
      expect(asked).toEqual([
        'operator-1/cilium-operator',
        'clustermesh-apiserver-1/etcd',
        'clustermesh-apiserver-1/kvstoremesh.previous',
        'clustermesh-apiserver-1/kvstoremesh',
        'clustermesh-apiserver-1/etcd-init',
        'cilium-1/cilium-agent',
      ]);
      const own = join(folder, 'kube-system', 'clustermesh-apiserver-1');
      expect((await readdir(own)).sort()).toEqual([
        'etcd-init.log',
        'etcd.log',
        'kvstoremesh.log',
        'kvstoremesh.previous.log',
      ]);
    });
  });

  it('hold no secret', async () => {
    await withTemporaryFolder(async (folder) => {
      await collect(folder);
      const file = join(folder, 'kube-system', 'cilium-1', 'cilium-agent.log');
      const text = await readFile(file, 'utf8');
      expect(text).not.toContain(TOKEN);
      expect(text).toContain('all is well');
    });
  });

  it('are left out one by one where a container has none, and said so', async () => {
    answer = (path) => (path.startsWith('cilium-1') ? undefined : 'x');
    await withTemporaryFolder(async (folder) => {
      const { files, remarks } = await collect(folder);
      expect(files).toBe(5);
      expect(remarks).toEqual(['kube-system/cilium-1/cilium-agent.log: 400 no such container']);
    });
  });

  it('are given up when their time is over, with how many are missing', async () => {
    await withTemporaryFolder(async (folder) => {
      expect(await collect(folder, 0)).toEqual({
        files: 0,
        remarks: ['6 logs of pods were left out: the time was over'],
      });
    });
  });
});

describe('an engine with pod logs', () => {
  const failure = { cause: 'infrastructure', code: 'c', text: 't' } as const;
  const engine = (startFails: boolean): ClusterEngine => ({
    start: () => Promise.resolve(startFails ? failure : undefined),
    act: () => Promise.resolve({ steps: [] }),
    findings: () => ({ podStartup: { all: [], stateless: [], stateful: [] }, remarks: [] }),
    stop: () => undefined,
  });

  async function fetched(fails: boolean, policy: 'always' | 'on-failure', interrupted = false) {
    let count = 0;
    const one = withPodLogs(engine(fails), policy, () => {
      count += 1;
      return Promise.resolve();
    });
    await one.start(NEVER);
    await one.conclude?.(interrupted ? 'interruption' : undefined, NEVER);
    return count;
  }

  it('fetches them of an attempt that failed, or always when asked to', async () => {
    expect(await fetched(true, 'on-failure')).toBe(1);
    expect(await fetched(false, 'on-failure')).toBe(0);
    expect(await fetched(false, 'always')).toBe(1);
  });

  it('lets a user who interrupts wait for none', async () => {
    expect(await fetched(true, 'always', true)).toBe(0);
  });
});
