import { afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { runAgentController } from '../../../local/agent-controller/run-agent-controller.js';
import { createMemoryKube, type MemoryKube } from '../../helpers/memory-kube.js';
import { createVirtualClock, type VirtualClock } from '../../helpers/virtual-clock.js';

const GRACE = 1_000;
const NODES = '/apis/cilium.io/v2/ciliumnodes';
const IDENTITIES = '/apis/cilium.io/v2/ciliumidentities';
const ENDPOINTS = '/apis/cilium.io/v2/ciliumendpoints';

/** One controller process; killed as by `kill -9`: its connections break, nothing is tidied up. */
interface Run {
  kill(): Promise<void>;
}

interface Bench {
  readonly kube: MemoryKube;
  readonly clock: VirtualClock;
  readonly log: string[];
}

const runs = new Set<Run>();
afterEach(async () => {
  for (const run of runs) await run.kill();
});

function start({ kube, clock, log }: Bench): Run {
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

function bench(): Bench {
  return { kube: createMemoryKube(), clock: createVirtualClock(), log: [] };
}

const namespacePath = (name: string): string => `/api/v1/namespaces/${name}`;
const podPath = (name: string): string => `/api/v1/namespaces/shop/pods/${name}`;

function putNode(kube: MemoryKube, name: string, ip: string): void {
  const spec = { podCIDR: '10.3.16.0/24', podCIDRs: ['10.3.16.0/24'] };
  const status = { addresses: [{ type: 'InternalIP', address: ip }] };
  kube.put(`/api/v1/nodes/${name}`, { metadata: { name }, spec, status });
}

function putNamespace(kube: MemoryKube, name: string, team: string): void {
  kube.put(namespacePath(name), { metadata: { name, labels: { team } } });
}

function putPod(kube: MemoryKube, name: string, app: string, ip: string | undefined): void {
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
function actualAndDesired({ kube }: Bench): { actual: unknown; desired: unknown } {
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

async function comeToRest({ clock }: Bench): Promise<void> {
  for (let step = 0; step < 12; step += 1) await clock.advance(5_000);
}

describe('the agent controller', () => {
  it('writes a node, an identity and an endpoint, the identity before the endpoint', async () => {
    const at = bench();
    putNode(at.kube, 'node-1', '10.3.0.4');
    putNamespace(at.kube, 'shop', 'red');
    putPod(at.kube, 'web-1', 'web', '10.3.16.1');
    start(at);
    await comeToRest(at);
    const { actual, desired } = actualAndDesired(at);
    expect(actual).toEqual(desired);
    const created = at.kube.writes.filter((write) => write.startsWith('POST'));
    expect(created.indexOf(`POST ${IDENTITIES}`)).toBeLessThan(
      created.indexOf('POST /apis/cilium.io/v2/namespaces/shop/ciliumendpoints'),
    );
  });

  it('writes nothing when it starts again and all is as it should be', async () => {
    const at = bench();
    putNode(at.kube, 'node-1', '10.3.0.4');
    putNamespace(at.kube, 'shop', 'red');
    putPod(at.kube, 'web-1', 'web', '10.3.16.1');
    const first = start(at);
    await comeToRest(at);
    await first.kill();
    at.kube.writes.length = 0;
    start(at);
    await comeToRest(at);
    expect(at.kube.writes).toEqual([]);
  });

  it('keeps an identity for the grace after its last endpoint, then removes it', async () => {
    const at = bench();
    putNamespace(at.kube, 'shop', 'red');
    putPod(at.kube, 'web-1', 'web', '10.3.16.1');
    start(at);
    await at.clock.advance(100);
    const before = at.kube.all(IDENTITIES).map(({ metadata }) => metadata.name);
    at.kube.remove(podPath('web-1'));
    await at.clock.advance(GRACE - 10);
    expect(at.kube.all(ENDPOINTS)).toEqual([]);
    expect(at.kube.all(IDENTITIES).map(({ metadata }) => metadata.name)).toEqual(before);
    await at.clock.advance(20);
    expect(at.kube.all(IDENTITIES)).toEqual([]);
  });

  it('gives an address to a new endpoint only after the old one is gone', async () => {
    const at = bench();
    putNamespace(at.kube, 'shop', 'red');
    putPod(at.kube, 'web-1', 'web', '10.3.16.1');
    start(at);
    await at.clock.advance(100);
    at.kube.writes.length = 0;
    let refusals = 3;
    at.kube.interfere = (method) => {
      refusals -= method === 'DELETE' ? 1 : 0;
      return method === 'DELETE' && refusals >= 0 ? 'refuse' : 'pass';
    };
    at.kube.remove(podPath('web-1'));
    putPod(at.kube, 'web-2', 'web', '10.3.16.1');
    await comeToRest(at);
    expect(at.kube.writes.at(-1)).toMatch(/^POST .*ciliumendpoints$/);
    expect(at.kube.writes.filter((write) => write.startsWith('DELETE'))).toHaveLength(4);
    expect(at.log.join()).toContain('ServiceUnavailable');
  });

  it('moves every endpoint of a namespace to another identity when its labels change', async () => {
    const at = bench();
    putNamespace(at.kube, 'shop', 'red');
    putPod(at.kube, 'web-1', 'web', '10.3.16.1');
    putPod(at.kube, 'db-1', 'db', '10.3.16.2');
    start(at);
    await at.clock.advance(100);
    putNamespace(at.kube, 'shop', 'blue');
    await comeToRest(at);
    const { actual, desired } = actualAndDesired(at);
    expect(actual).toEqual(desired);
    expect(JSON.stringify(actual)).toContain('web/blue');
  });

  it('makes a new endpoint for a new pod of the same name', async () => {
    const at = bench();
    putNamespace(at.kube, 'shop', 'red');
    putPod(at.kube, 'web-1', 'web', '10.3.16.1');
    const first = start(at);
    await at.clock.advance(100);
    const before = at.kube.all(ENDPOINTS)[0]?.metadata.uid;
    await first.kill();
    at.kube.remove(podPath('web-1'));
    putPod(at.kube, 'web-1', 'web', '10.3.16.2');
    start(at);
    await comeToRest(at);
    expect(at.kube.all(ENDPOINTS)).toHaveLength(1);
    expect(at.kube.all(ENDPOINTS)[0]?.metadata.uid).not.toBe(before);
  });

  it('removes what somebody else left: foreign numbers, double label sets, orphans', async () => {
    const at = bench();
    putNamespace(at.kube, 'shop', 'red');
    const labels = { 'k8s:app': 'old' };
    for (const name of ['17', '196900', '196901']) {
      at.kube.put(`${IDENTITIES}/${name}`, { metadata: { name }, 'security-labels': labels });
    }
    at.kube.put(`${NODES}/gone`, { metadata: { name: 'gone' }, spec: {} });
    start(at);
    await comeToRest(at);
    expect(at.kube.all(IDENTITIES)).toEqual([]);
    expect(at.kube.all(NODES)).toEqual([]);
  });

  it('repairs within a resync period what somebody changed by hand', async () => {
    const at = bench();
    putNamespace(at.kube, 'shop', 'red');
    putPod(at.kube, 'web-1', 'web', '10.3.16.1');
    start(at);
    await comeToRest(at);
    const [identity] = at.kube.all(IDENTITIES);
    at.kube.remove(`${IDENTITIES}/${identity?.metadata.name ?? ''}`);
    await at.clock.advance(310_000);
    const { actual, desired } = actualAndDesired(at);
    expect(actual).toEqual(desired);
    expect(at.kube.all(IDENTITIES)[0]?.metadata.name).toBe(identity?.metadata.name);
  });

  it('comes to what the pods ask for, whatever happens and wherever it is killed', async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 40 }), tryScript), {
      numRuns: 150,
    });
  });
});

type Step =
  | { readonly do: 'pod'; name: string; app: string; ip: string | undefined }
  | { readonly do: 'no-pod' | 'no-node'; name: string }
  | { readonly do: 'node'; name: string; ip: string }
  | { readonly do: 'team'; team: string }
  | { readonly do: 'kill' | 'expire' | 'refuse' | 'lose' | 'calm' }
  | { readonly do: 'wait'; ms: number };

const pick = fc.constantFrom;
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant<'pod'>('pod'),
      name: pick('a', 'b', 'c', 'd'),
      app: pick('web', 'db'),
      ip: fc.option(pick('10.3.16.1', '10.3.16.2', '10.3.16.3'), { nil: undefined }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant<'no-pod'>('no-pod'),
      name: pick('a', 'b', 'c', 'd'),
    }),
  },
  fc.record({ do: fc.constant<'no-node'>('no-node'), name: pick('n', 'm') }),
  fc.record({
    do: fc.constant<'node'>('node'),
    name: pick('n', 'm'),
    ip: pick('10.3.0.4', '10.3.0.5'),
  }),
  fc.record({ do: fc.constant<'team'>('team'), team: pick('red', 'blue') }),
  fc.record({ do: pick('kill', 'kill', 'expire', 'refuse', 'lose', 'calm') }),
  { weight: 4, arbitrary: fc.record({ do: fc.constant<'wait'>('wait'), ms: pick(0, 150, 1_500) }) },
);

async function tryScript(script: readonly Step[]): Promise<void> {
  const at = bench();
  putNamespace(at.kube, 'shop', 'red');
  let run = start(at);
  for (const one of script) {
    if (one.do === 'kill') {
      await run.kill();
      run = start(at);
    } else await act(at, one);
  }
  at.kube.interfere = () => 'pass';
  await comeToRest(at);
  const { actual, desired } = actualAndDesired(at);
  expect(actual).toEqual(desired);
  for (const { metadata } of at.kube.all(IDENTITIES)) {
    expect(Number(metadata.name) >> 16).toBe(3);
  }
  await run.kill();
}

async function act({ kube, clock }: Bench, one: Exclude<Step, { do: 'kill' }>): Promise<void> {
  switch (one.do) {
    case 'pod':
      putPod(kube, one.name, one.app, one.ip);
      return;
    case 'no-pod':
      kube.remove(podPath(one.name));
      return;
    case 'node':
      putNode(kube, one.name, one.ip);
      return;
    case 'no-node':
      kube.remove(`/api/v1/nodes/${one.name}`);
      return;
    case 'team':
      putNamespace(kube, 'shop', one.team);
      return;
    case 'expire':
      kube.breakWatches({ reason: 'expired' });
      return;
    case 'refuse':
      kube.interfere = everyOther('refuse');
      return;
    case 'lose':
      kube.interfere = everyOther('lose-answer');
      return;
    case 'wait':
      await clock.advance(one.ms);
      return;
    default:
      kube.interfere = () => 'pass';
  }
}

function everyOther(what: 'refuse' | 'lose-answer'): () => 'pass' | typeof what {
  let count = 0;
  return () => {
    count += 1;
    return count % 2 === 0 ? 'pass' : what;
  };
}
