import { z } from 'zod';
import { runAgentController } from '../../../local/agent-controller/run-agent-controller.js';
import { createMemoryKube, type MemoryKube } from '../../helpers/memory-kube.js';
import { createVirtualClock, type VirtualClock } from '../../helpers/virtual-clock.js';

export const GRACE = 1_000;
export const NODES = '/apis/cilium.io/v2/ciliumnodes';
export const IDENTITIES = '/apis/cilium.io/v2/ciliumidentities';
export const ENDPOINTS = '/apis/cilium.io/v2/ciliumendpoints';

/** One controller process; killed as by `kill -9`: its connections break, nothing is tidied up. */
export interface Run {
  kill(): Promise<void>;
}

export interface Bench {
  readonly kube: MemoryKube;
  readonly clock: VirtualClock;
  readonly log: string[];
}

const runs = new Set<Run>();

/** For `afterEach`: a test that failed leaves none running. */
export async function killAll(): Promise<void> {
  for (const run of runs) await run.kill();
}

export function start({ kube, clock, log }: Bench): Run {
  const stop = new AbortController();
  const client = kube.client();
  const ended = runAgentController({
    client,
    clusterName: 'mesh-003',
    clusterId: 3,
    clock,
    signal: stop.signal,
    log: (line) => log.push(line),
    options: { identityGrace: GRACE, concurrency: 4 },
  });
  const run: Run = {
    kill: async () => {
      runs.delete(run);
      await client.close();
      stop.abort();
      await ended;
    },
  };
  runs.add(run);
  return run;
}

export function bench(): Bench {
  return { kube: createMemoryKube(), clock: createVirtualClock(), log: [] };
}

const namespacePath = (name: string): string => `/api/v1/namespaces/${name}`;
export const podPath = (name: string): string => `/api/v1/namespaces/shop/pods/${name}`;

export function putNode(kube: MemoryKube, name: string, ip: string): void {
  const spec = { podCIDR: '10.3.16.0/24', podCIDRs: ['10.3.16.0/24'] };
  const status = { addresses: [{ type: 'InternalIP', address: ip }] };
  kube.put(`/api/v1/nodes/${name}`, { metadata: { name }, spec, status });
}

export function putNamespace(kube: MemoryKube, name: string, team: string): void {
  kube.put(namespacePath(name), { metadata: { name, labels: { team } } });
}

export function putPod(kube: MemoryKube, name: string, app: string, ip: string | undefined): void {
  const metadata = { name, namespace: 'shop', labels: { app } };
  const status = ip === undefined ? { phase: 'Pending' } : running(ip);
  kube.put(podPath(name), { metadata, spec: { serviceAccountName: 'default' }, status });
}

const running = (ip: string) => ({
  phase: 'Running',
  hostIP: '10.3.0.4',
  podIP: ip,
  podIPs: [{ ip }],
});

const endpointSchema = z.object({
  metadata: z.object({
    name: z.string(),
    ownerReferences: z.array(z.object({ uid: z.string() })),
  }),
  status: z.object({
    identity: z.object({ id: z.number() }),
    networking: z.object({ addressing: z.array(z.object({ ipv4: z.string() })) }),
  }),
});
const podSchema = z.object({
  metadata: z.object({ name: z.string(), uid: z.string(), labels: z.object({ app: z.string() }) }),
  status: z.object({ podIP: z.string().optional() }),
});
const identitySchema = z.object({ 'security-labels': z.record(z.string(), z.string()) });

/** What is there, and what ought to be there, in one comparable form. */
export function actualAndDesired({ kube }: Bench): { actual: unknown; desired: unknown } {
  const identities = new Map(
    kube.all(IDENTITIES).map((object) => {
      const labels = identitySchema.parse(object)['security-labels'];
      return [object.metadata.name, `${labels['k8s:app'] ?? ''}/${teamOf(labels) ?? ''}`] as const;
    }),
  );
  const team = kube.all('/api/v1/namespaces')[0]?.metadata.labels?.['team'] ?? '';
  const pods = kube
    .all('/api/v1/pods')
    .map((pod) => podSchema.parse(pod))
    .filter(({ status }) => status.podIP !== undefined);
  const wanted = pods.map(({ metadata, status }) => ({
    name: metadata.name,
    pod: metadata.uid,
    ip: status.podIP,
    identity: `${metadata.labels.app}/${team}`,
  }));
  const endpoints = kube.all(ENDPOINTS).map((object) => {
    const { metadata, status } = endpointSchema.parse(object);
    return {
      name: metadata.name,
      pod: metadata.ownerReferences[0]?.uid,
      ip: status.networking.addressing[0]?.ipv4,
      identity: identities.get(String(status.identity.id)),
    };
  });
  const names = (collection: string) => kube.all(collection).map(({ metadata }) => metadata.name);
  return {
    actual: {
      endpoints: byName(endpoints),
      identities: [...identities.values()].sort(),
      nodes: names(NODES).sort(),
    },
    desired: {
      endpoints: byName(wanted),
      identities: [...new Set(wanted.map(({ identity }) => identity))].sort(),
      nodes: names('/api/v1/nodes').sort(),
    },
  };
}

const teamOf = (labels: Record<string, string>): string | undefined =>
  labels['k8s:io.cilium.k8s.namespace.labels.team'];
const byName = <T extends { name: string }>(items: readonly T[]): readonly T[] =>
  [...items].sort((a, b) => a.name.localeCompare(b.name));

export async function comeToRest({ clock }: Bench): Promise<void> {
  for (let step = 0; step < 12; step += 1) await clock.advance(5_000);
}
