import { describe, expect, it } from '@jest/globals';
import type { InventoryCluster } from '../../../model/inventory.js';
import { checkIdentities } from '../../../workload/inventory/check-identities.js';
import { checkPrometheus } from '../../../workload/inventory/check-prometheus.js';
import { checkReach } from '../../../workload/inventory/check-reach.js';
import { createKubeClient } from '../../../workload/kube/http-kube-client.js';
import { systemClock } from '../../../workload/platform/clock.js';
import { inventoryCluster } from '../../helpers/inventory-cluster.js';
import { startLoopbackServer } from '../../helpers/loopback-server.js';

/** As the address plan makes it. */
const cluster = (number: number, changes: Partial<InventoryCluster> = {}): InventoryCluster =>
  inventoryCluster(number, {
    ciliumName: `mesh-00${number}`,
    ciliumId: number,
    podCidrs: [`10.${number}.16.0/20`],
    nodeCidrs: [`10.${number}.0.0/22`],
    serviceCidrs: ['192.168.0.0/20'],
    datapath: false,
    ...changes,
  });

describe('preflight of identities', () => {
  it('finds nothing wrong with the clusters of the address plan', () => {
    const { problems, unseen } = checkIdentities([cluster(1), cluster(2), cluster(3)]);
    expect(problems).toEqual([]);
    expect(unseen).toEqual([]);
  });

  it('fails for equal ids, equal names and overlapping ranges, all at once', () => {
    const { problems } = checkIdentities([
      cluster(1),
      cluster(2, { ciliumId: 1, podCidrs: ['10.1.0.0/16'] }),
      cluster(3, { ciliumName: 'mesh-001' }),
    ]);
    expect(problems.map(({ code }) => code).sort()).toEqual([
      'inventory/overlapping-ranges',
      'inventory/same-id',
      'inventory/same-name',
    ]);
  });

  it('says what a cluster does not tell instead of passing it', () => {
    const unknown = { ...cluster(2) };
    delete unknown.ciliumId;
    const { unseen, problems, good } = checkIdentities([cluster(1), { ...unknown, podCidrs: [] }]);
    expect(problems).toEqual([]);
    expect(good).toEqual([
      'Cilium ids are unique, of the 1 of 2 that tell them',
      'Cilium names are unique',
      'address ranges are disjoint, of the 1 of 2 that tell them',
    ]);
    expect(unseen).toEqual([
      'mesh-002: its Cilium name and id and its pod ranges could not be read',
    ]);
  });
});

describe('preflight of Prometheus', () => {
  it('asks it through the API server, and says at which cluster none answers', async () => {
    const paths: string[] = [];
    const server = await startLoopbackServer((request, response) => {
      paths.push(request.url ?? '');
      const found = request.url?.includes('/services/prom:80/') === true;
      response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(found ? { status: 'success' } : { reason: 'NotFound' }));
    });
    const kube = createKubeClient({ server: server.url, credential: { kind: 'none' } });
    const connected = (number: number, url?: string) => ({
      state: 'connected' as const,
      connection: {
        cluster: cluster(number, {
          prometheus: { kind: 'in-cluster', ...(url === undefined ? {} : { url }) },
        }),
        kube,
      },
    });
    const signal = new AbortController().signal;
    const clusters = [connected(1, 'monitors/prom:80'), connected(2)];
    const { good, unseen } = await checkPrometheus(clusters, { signal });
    await kube.close();
    await server.close();
    expect(good).toEqual(['Prometheus answers in 1 of 2 clusters']);
    expect(unseen).toEqual([
      expect.stringMatching(/^mesh-002: Prometheus at monitoring\/prometheus-k8s:9090 \(404 /),
    ]);
    expect(paths).toContain(
      '/api/v1/namespaces/monitors/services/prom:80/proxy/api/v1/query?query=1',
    );
  });
});

describe('preflight of API servers', () => {
  it('fails for one that refuses us and one that is not there, and names both', async () => {
    const refusing = await startLoopbackServer((_request, response) => {
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ kind: 'Status', reason: 'Unauthorized', message: 'expired' }));
    });
    const gone = await startLoopbackServer(() => undefined);
    await gone.close();
    const clients = [refusing, gone].map(({ url }) =>
      createKubeClient({ server: url, credential: { kind: 'none' } }),
    );
    const clusters = clients.map((kube, index) => ({
      state: 'connected' as const,
      connection: { cluster: cluster(index + 1), kube },
    }));
    const { problems, good } = await checkReach(clusters, {
      clock: systemClock,
      signal: new AbortController().signal,
    });
    expect(problems.map(({ where }) => where)).toEqual([
      { path: 'mesh-001' },
      { path: 'mesh-002' },
    ]);
    expect(problems[0]?.code).toBe('inventory/credentials-expired');
    expect(problems[1]?.given).toContain('no answer');
    expect(good).toEqual(['0 of 2 API servers can be used']);
    await Promise.all([...clients.map((client) => client.close()), refusing.close()]);
  });
});
