import { afterEach, describe, expect, it } from '@jest/globals';
import {
  ENDPOINTS,
  GRACE,
  IDENTITIES,
  NODES,
  actualAndDesired,
  bench,
  comeToRest,
  killAll,
  podPath,
  putNamespace,
  putNode,
  putPod,
  start,
} from './agent-bench.js';

afterEach(killAll);

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
});
