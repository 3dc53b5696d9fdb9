/*
 * Creates ConfigMaps on a real API server as fast as it takes them, and says at whose cost.
 * Run: MESHSCALE_ENGINE_ETCD=… MESHSCALE_ENGINE_KUBE_APISERVER=… node --import tsx bench/kube-creates.ts
 */
import { startRealKube, type RealKube } from '../__tests__/helpers/real-kube.js';
import { createKubeClient } from '../workload/kube/http-kube-client.js';
import type { KubeClient } from '../workload/kube/kube-client.js';
import { millisecondsBetween, systemClock } from '../workload/platform/clock.js';
import { cpuSecondsOf } from './process-cost.js';

/** What has to be borne: 750 creates a second, 1,500 objects in one namespace. */
const OBJECTS = 1_500;
/** Past the API server's own work after its start. */
const WARM_UP = 1_500;
const AT_ONCE = 64;

// As `up` starts it.
const kube = await startRealKube({ GOGC: '200' });
try {
  const client = createKubeClient(kube.admin, { connections: 16 });
  await createAll(client, 'warm', WARM_UP);
  const before = cpuSeconds(kube);
  const start = systemClock.monoNs();
  const refused = await createAll(client, 'bench', OBJECTS);
  const seconds = millisecondsBetween(start, systemClock.monoNs()) / 1_000;
  const after = cpuSeconds(kube);
  const spent = (name: keyof CpuSeconds): string => (after[name] - before[name]).toFixed(2);
  process.stdout.write(
    `${OBJECTS} ConfigMaps in ${seconds.toFixed(2)} s: ${Math.round(OBJECTS / seconds)} creates/s, ${refused} refused\n` +
      `CPU seconds: client ${spent('client')}, kube-apiserver ${spent('apiserver')}, etcd ${spent('etcd')}\n`,
  );
  await client.close();
} finally {
  await kube.stop();
}

/** Creates them with {@link AT_ONCE} requests under way; gives how many were refused. */
async function createAll(client: KubeClient, prefix: string, count: number): Promise<number> {
  let next = 0;
  let refused = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      const name = `${prefix}-${(next += 1)}`;
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { k: 'v' } };
      const answer = await client.request('POST', '/api/v1/namespaces/default/configmaps', body);
      if (!answer.ok) refused += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return refused;
}

interface CpuSeconds {
  readonly client: number;
  readonly apiserver: number;
  readonly etcd: number;
}

function cpuSeconds({ pid, etcd }: RealKube): CpuSeconds {
  const { user, system } = process.cpuUsage();
  const client = (user + system) / 1e6;
  return { client, apiserver: cpuSecondsOf(pid()), etcd: cpuSecondsOf(etcd.pid()) };
}
