import { afterEach, describe, expect, it } from '@jest/globals';
import type { InventoryCluster } from '../../../model/inventory.js';
import { checkMeshCa } from '../../../workload/inventory/check-mesh-ca.js';
import { checkPeers } from '../../../workload/inventory/check-peers.js';
import {
  closeClusters,
  type ConnectedCluster,
} from '../../../workload/inventory/cluster-connection.js';
import { createKubeClient } from '../../../workload/kube/http-kube-client.js';
import { systemClock } from '../../../workload/platform/clock.js';
import { startLoopbackServer, type LoopbackServer } from '../../helpers/loopback-server.js';
import { createTestPki } from '../../helpers/test-pki.js';

const world = { clock: systemClock, signal: new AbortController().signal };
const servers: LoopbackServer[] = [];
const opened: ConnectedCluster[] = [];
afterEach(async () => {
  await closeClusters(opened.splice(0));
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** A cluster whose API server knows these answers by the end of their path. */
async function cluster(
  number: number,
  answers: Readonly<Record<string, string>>,
): Promise<ConnectedCluster> {
  const server = await startLoopbackServer((request, response) => {
    const path = (request.url ?? '').replace(/\?.*$/, '');
    const found = Object.entries(answers).find(([end]) => path.endsWith(end));
    if (found !== undefined) {
      const json = found[1].startsWith('{');
      response.writeHead(200, { 'content-type': json ? 'application/json' : 'text/plain' });
      response.end(found[1]);
      return;
    }
    response.writeHead(404, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ kind: 'Status', code: 404, reason: 'NotFound', message: path }));
  });
  servers.push(server);
  const about: InventoryCluster = {
    ...{ role: `mesh-00${number}`, number, ciliumName: `c${number}`, nodes: 1 },
    ...{ podCidrs: [], nodeCidrs: [], serviceCidrs: [], podNetwork: 'flat', datapath: true },
    access: { kind: 'kubeconfig', file: 'f', context: 'c' },
  };
  const kube = createKubeClient({ server: server.url, credential: { kind: 'none' } });
  const one = { state: 'connected', connection: { cluster: about, kube } } as const;
  opened.push(one);
  return one;
}

const AGENT = {
  '/kube-system/pods': JSON.stringify({
    metadata: { resourceVersion: '1' },
    items: [{ metadata: { name: 'cilium-x' }, status: { phase: 'Running' } }],
  }),
};
const ready = (peers: Readonly<Record<string, number>>) =>
  Object.entries(peers)
    .map(
      ([name, value]) =>
        `cilium_clustermesh_remote_cluster_readiness_status{source_cluster="x",target_cluster="${name}"} ${value}`,
    )
    .join('\n');

describe('peers as every cluster sees them', () => {
  it('are asked of agents where the mesh etcd cannot be reached', async () => {
    const clusters = [
      await cluster(1, { ...AGENT, ':9962/proxy/metrics': ready({ c2: 1 }) }),
      await cluster(2, { ...AGENT, ':9962/proxy/metrics': ready({ c1: 1 }) }),
    ];
    expect(await checkPeers(clusters, world)).toEqual({
      problems: [],
      good: ['2 links are synchronised'],
      unseen: [],
    });
  });

  it('fails for one that is not ready in one direction, and for one that is not known', async () => {
    const clusters = [
      await cluster(1, { ...AGENT, ':9962/proxy/metrics': ready({ c2: 0, c3: 1 }) }),
      await cluster(2, { ...AGENT, ':9962/proxy/metrics': ready({ c1: 1 }) }),
      await cluster(3, { ...AGENT, ':9962/proxy/metrics': ready({ c1: 1, c2: 1 }) }),
    ];
    const { problems } = await checkPeers(clusters, world);
    expect(problems.map(({ code, where, given }) => [code, where, given])).toEqual([
      ['inventory/not-connected', { path: 'mesh-002--mesh-001' }, 'ready, as cilium-agent say: c3'],
      ['inventory/not-connected', { path: 'mesh-003--mesh-002' }, 'ready, as cilium-agent say: c1'],
    ]);
  });

  it('does not count a cluster as connected that nobody can ask', async () => {
    const clusters = [await cluster(1, {}), await cluster(2, AGENT)];
    const { problems, good, unseen } = await checkPeers(clusters, world);
    expect({ problems, good }).toEqual({ problems: [], good: [] });
    expect(unseen).toHaveLength(2);
  });
});

describe('the CA of the mesh', () => {
  const secret = (pem: string) => ({
    '/secrets/cilium-ca': JSON.stringify({
      data: { 'ca.crt': Buffer.from(pem).toString('base64'), 'ca.key': 'nobody reads it' },
    }),
  });

  it('is the same where its fingerprint is, and unseen where it cannot be read', async () => {
    const { caPem } = await createTestPki();
    const same = [await cluster(1, secret(caPem)), await cluster(2, secret(`${caPem}\n`))];
    expect(await checkMeshCa([...same, await cluster(3, {})], world)).toEqual({
      problems: [],
      good: ['2 clusters have the same mesh CA'],
      unseen: ['mesh-003: the CA of its mesh could not be read'],
    });
  });

  it('fails for two, with both fingerprints and nothing secret', async () => {
    const [one, other] = [await createTestPki(), await createTestPki()];
    const clusters = [await cluster(1, secret(one.caPem)), await cluster(2, secret(other.caPem))];
    const { problems } = await checkMeshCa(clusters, world);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.code).toBe('inventory/other-mesh-ca');
    expect(problems[0]?.given).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}: mesh-001\n/);
    expect(JSON.stringify(problems)).not.toContain('nobody reads it');
  });
});
