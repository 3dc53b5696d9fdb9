import { afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { clusterRoles } from '../../../../model/cluster-identity.js';
import type { InventoryCluster } from '../../../../model/inventory.js';
import { MOST_FOR_ALL, smokePairs } from '../../../../workload/exec/smoke/smoke-pairs.js';
import { smoke, smokePathOf, type SmokeMode } from '../../../../workload/exec/smoke/smoke.js';
import {
  closeClusters,
  type ConnectedCluster,
} from '../../../../workload/inventory/cluster-connection.js';
import { createKubeClient } from '../../../../workload/kube/http-kube-client.js';
import {
  bodyOf,
  startLoopbackServer,
  type LoopbackServer,
} from '../../../helpers/loopback-server.js';
import { createVirtualClock, settled } from '../../../helpers/virtual-clock.js';

describe('the pairs of a smoke test', () => {
  it('are all ordered ones up to a bound', () => {
    const { pairs, spanning } = smokePairs(clusterRoles(MOST_FOR_ALL));
    expect(spanning).toBe(false);
    expect(new Set(pairs.map(({ source, reader }) => `${source} ${reader}`)).size).toBe(380);
  });

  it('let every cluster ask two others and be asked by two beyond it', () => {
    fc.assert(
      fc.property(fc.integer({ min: MOST_FOR_ALL + 1, max: 255 }), (count) => {
        const roles = clusterRoles(count);
        const { pairs, spanning } = smokePairs(roles);
        expect(spanning).toBe(true);
        for (const role of roles) {
          expect(pairs.filter(({ source }) => source === role)).toHaveLength(2);
          expect(pairs.filter(({ reader }) => reader === role)).toHaveLength(2);
        }
        expect(pairs.some(({ source, reader }) => source === reader)).toBe(false);
      }),
      { numRuns: 10 },
    );
  });
});

const servers: LoopbackServer[] = [];
const opened: ConnectedCluster[] = [];
afterEach(async () => {
  await closeClusters(opened.splice(0));
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** What the pod of a cluster gets when it asks the Service of another. */
type Dial = (reader: string, source: string) => readonly string[];

async function cluster(number: number, dial: Dial, node: object): Promise<ConnectedCluster> {
  const role = `mesh-00${number}`;
  const clock = createVirtualClock();
  const server = await startLoopbackServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://x');
    void bodyOf(request).then((text) => {
      const source = /^smoke-(mesh-\d+)\./.exec(url.searchParams.get('host') ?? '')?.[1] ?? '';
      const responses = dial(role, source);
      const list = { metadata: { resourceVersion: '1' }, items: [node] };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        request.method === 'POST'
          ? text
          : JSON.stringify(url.pathname.endsWith('/dial') ? { responses } : list),
      );
    });
  });
  servers.push(server);
  const about: InventoryCluster = {
    ...{ role, number, nodes: 1, podCidrs: [], nodeCidrs: [], serviceCidrs: [] },
    ...{ podNetwork: 'flat', datapath: true },
    access: { kind: 'kubeconfig', file: 'f', context: 'c' },
  };
  const kube = createKubeClient({ server: server.url, credential: { kind: 'none' } }, { clock });
  const one = { state: 'connected', connection: { cluster: about, kube } } as const;
  opened.push(one);
  return one;
}

const REAL = { metadata: { name: 'n' } };
const MOCK = { metadata: { name: 'n', labels: { type: 'kwok' } } };
const right: Dial = (_reader, source) => [`answers-${source}`];

async function smoked(dial: Dial, mode: SmokeMode = 'auto', node: object = REAL) {
  const clock = createVirtualClock();
  const clusters = [await cluster(1, dial, node), await cluster(2, dial, node)];
  const signal = new AbortController().signal;
  const setting = { clusters, mode, runId: 'r', image: 'agnhost', clock, signal };
  const path = await smokePathOf(setting);
  const state = { over: false };
  const work = smoke(setting, path).finally(() => {
    state.over = true;
  });
  while (!state.over) {
    await clock.advance(100);
    await settled(5);
  }
  return { path, ...(await work) };
}

describe('a smoke test of the data path', () => {
  it('is passed when every answer comes from its own source', async () => {
    expect(await smoked(right)).toMatchObject({
      path: 'data',
      problems: [],
      good: ['data path: 2 ordered pairs answered, each from its own source'],
    });
  });

  it('fails for an answer that a cluster gives itself', async () => {
    const { problems } = await smoked((reader) => [`answers-${reader}`]);
    expect(problems).toMatchObject([
      {
        code: 'run/smoke-failed',
        given:
          'mesh-002 from mesh-001: it was answered by its own cluster\nmesh-001 from mesh-002: it was answered by its own cluster',
      },
    ]);
  });

  it('fails for an answer that is missing in one direction', async () => {
    const { problems } = await smoked((reader, source) =>
      reader === 'mesh-002' ? [] : [`answers-${source}`],
    );
    expect(problems[0]?.given).toBe('mesh-001 from mesh-002: no answer: not one response');
  });

  it('waits for a mesh that still fills its maps', async () => {
    let asked = 0;
    const { problems } = await smoked((reader, source) => {
      asked += 1;
      return asked < 8 ? [] : right(reader, source);
    });
    expect(problems).toEqual([]);
  });

  it('is not made where pods only seem to run, and that is said', async () => {
    expect(await smoked(right, 'auto', MOCK)).toMatchObject({
      path: 'none',
      good: [],
      unseen: [expect.stringContaining('no packet flows here')],
    });
    expect((await smoked(right, 'never')).path).toBe('none');
  });
});
