import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EtcdClient } from '../../../workload/kube/etcd/etcd-client.js';
import { createEtcdClient } from '../../../workload/kube/etcd/grpc-etcd-client.js';
import type { KubeClient } from '../../../workload/kube/kube-client.js';
import { systemClock as clock } from '../../../workload/platform/clock.js';
import { measureProbeFloor } from '../../../workload/probe/measure-floor.js';
import { startRealEtcd, type RealEtcd } from '../../helpers/real-etcd.js';

const signal = new AbortController().signal;

describe('the floor of the probes', () => {
  let etcd: RealEtcd;
  let meshEtcd: EtcdClient;
  beforeAll(async () => {
    etcd = await startRealEtcd();
    meshEtcd = createEtcdClient(etcd.access);
  }, 90_000);
  afterAll(async () => {
    meshEtcd.close();
    await etcd.stop();
  });

  it('is measured on keys of a peer that does not exist, and none of them stays', async () => {
    const floor = await measureProbeFloor({
      ...{ cluster: at(meshEtcd), samples: 20 },
      clock,
      signal,
    });
    expect(floor.reason).toBeUndefined();
    expect(floor.quantiles?.samples).toBe(20);
    expect(floor.samples.every(({ delta_ms }) => delta_ms !== null && delta_ms > 0)).toBe(true);
    expect((await meshEtcd.countPrefix('cilium/')).count).toBe(0);
  });

  it('is missing with a reason when nobody can look into the etcd', async () => {
    const floor = await measureProbeFloor({ cluster: at(undefined), samples: 3, clock, signal });
    expect(floor).toEqual({
      ...{ cluster: 'mesh-001', samples: [] },
      reason: 'there is no access to the mesh etcd of mesh-001',
    });
  });
});

function at(meshEtcd: EtcdClient | undefined) {
  // The floor asks no API server.
  return { role: 'mesh-001', ciliumName: 'mesh-001', kube: {} as KubeClient, meshEtcd };
}
