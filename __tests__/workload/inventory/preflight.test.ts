import { describe, expect, it } from '@jest/globals';
import type { InventoryCluster } from '../../../model/inventory.js';
import { checkIdentities } from '../../../workload/inventory/check-identities.js';
import { checkReach } from '../../../workload/inventory/check-reach.js';
import { createKubeClient } from '../../../workload/kube/http-kube-client.js';
import { systemClock } from '../../../workload/platform/clock.js';
import { startLoopbackServer } from '../../helpers/loopback-server.js';

const cluster = (number: number, changes: Partial<InventoryCluster> = {}): InventoryCluster => ({
  role: `mesh-00${number}`,
  number,
  ciliumName: `mesh-00${number}`,
  ciliumId: number,
  nodes: 1,
  podCidrs: [`10.${number}.16.0/20`],
  nodeCidrs: [`10.${number}.0.0/22`],
  serviceCidrs: ['192.168.0.0/20'],
  podNetwork: 'flat',
  datapath: false,
  access: { kind: 'kubeconfig', file: 'f', context: 'c' },
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
    const { unseen, problems } = checkIdentities([cluster(1), { ...unknown, podCidrs: [] }]);
    expect(problems).toEqual([]);
    expect(unseen).toEqual([
      'mesh-002: its Cilium name and id and its pod ranges could not be read',
    ]);
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
