import { describe, expect, it } from '@jest/globals';
import type { ConnectedCluster } from '../../../workload/inventory/cluster-connection.js';
import { notAccepted, notConnected, unreachable } from '../../../workload/inventory/errors.js';
import { usableClusters } from '../../../workload/inventory/usable-clusters.js';
import { createKubeClient } from '../../../workload/kube/http-kube-client.js';

const connected = (role: string): ConnectedCluster => ({
  state: 'connected',
  connection: {
    cluster: {
      ...{ role, number: 1, nodes: 1, podCidrs: [], nodeCidrs: [], serviceCidrs: [] },
      ...{ podNetwork: 'flat', datapath: false, access: { kind: 'local', stateDir: 's' } },
    },
    kube: createKubeClient({ server: 'http://127.0.0.1:1', credential: { kind: 'none' } }),
  },
});

describe('clusters after a preflight', () => {
  it('are without those whose API server cannot be used, which keep the cause', () => {
    const clusters = ['mesh-001', 'mesh-002', 'mesh-003'].map(connected);
    const problems = [
      unreachable('mesh-002', 'no answer', 'look'),
      notAccepted('mesh-003', '401'),
      notConnected('mesh-002', 'mesh-001', 'nobody'),
    ];
    const found = usableClusters(clusters, { problems });
    expect(found[0]).toBe(clusters[0]);
    expect(found.slice(1).map((one) => (one.state === 'unreachable' ? one.errors : []))).toEqual([
      [problems[0]],
      [problems[1]],
    ]);
  });
});
