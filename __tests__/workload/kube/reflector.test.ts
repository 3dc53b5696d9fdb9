import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Milliseconds } from '../../../model/quantity.js';
import type { KubeClient } from '../../../workload/kube/kube-client.js';
import { createKubeClient } from '../../../workload/kube/http-kube-client.js';
import { startReflector, type Reflector } from '../../../workload/kube/reflector.js';
import {
  objectNamed,
  startFakeApiServer,
  type FakeApiServer,
} from '../../helpers/fake-api-server.js';
import { createVirtualClock, settled, type VirtualClock } from '../../helpers/virtual-clock.js';

let server: FakeApiServer;
let client: KubeClient;
let stop: AbortController;
let clock: VirtualClock;
let sleeps: Milliseconds[];
let log: string[];

beforeEach(async () => {
  server = await startFakeApiServer();
  client = createKubeClient({ server: server.url, credential: { kind: 'none' } });
  stop = new AbortController();
  clock = createVirtualClock();
  sleeps = [];
  log = [];
});

afterEach(async () => {
  stop.abort();
  await client.close();
  await server.close();
});

function start(): Reflector<string> {
  return startReflector({
    client,
    path: '/things',
    clock: {
      ...clock,
      sleep: (duration, signal) => {
        sleeps.push(duration);
        return clock.sleep(duration, signal);
      },
    },
    signal: stop.signal,
    keep: ({ metadata }) => `${metadata.name}@${metadata.resourceVersion ?? ''}`,
    onSync: (items) => log.push(`sync ${items.join(' ')}`),
    onOpen: () => log.push('open'),
    onEvent: ({ type, object, seenBy }) => log.push(`${type} ${object} by ${seenBy}`),
    onLoss: ({ reason }) => log.push(`loss ${reason}`),
  });
}

/** Waits for real bytes, moving the virtual clock on meanwhile. */
async function until(condition: () => boolean): Promise<void> {
  for (let round = 0; round < 2_000 && !condition(); round += 1) {
    await settled(2);
    if (clock.sleepers() > 0) await clock.advance(50);
  }
  expect(log.concat(condition() ? [] : ['(did not happen)'])).not.toContain('(did not happen)');
}

describe('startReflector', () => {
  it('gives the list once, then every change, and holds what it kept', async () => {
    server.items = [objectNamed('a', 1)];
    server.resourceVersion = 5;
    const reflector = start();
    await reflector.synced;
    const watch = await server.nextWatch();
    expect(watch.resourceVersion).toBe('5');
    await reflector.watching;
    watch.send('ADDED', objectNamed('b', 6));
    watch.send('DELETED', objectNamed('a', 7));
    await until(() => log.length === 4);
    expect(log).toEqual(['sync a@1', 'open', 'added b@6 by watch', 'deleted a@7 by watch']);
    expect(reflector.items()).toEqual(['b@6']);
    expect(reflector.get('n/b')).toBe('b@6');
    expect(reflector.counts()).toEqual({ relists: 0, losses: 0 });
  });

  it('resumes a closed watch where it stopped, without a list', async () => {
    const reflector = start();
    const first = await server.nextWatch();
    first.send('ADDED', objectNamed('a', 6));
    first.send('BOOKMARK', { metadata: { resourceVersion: '40' } });
    first.end();
    const second = await server.nextWatch();
    expect(second.resourceVersion).toBe('40');
    expect(server.lists).toBe(1);
    expect(reflector.counts()).toEqual({ relists: 0, losses: 1 });
  });

  it('lists again when its place is gone, and misses no deletion', async () => {
    server.items = [objectNamed('a', 1), objectNamed('b', 2), objectNamed('c', 3)];
    const reflector = start();
    const watch = await server.nextWatch();
    server.items = [objectNamed('b', 2), objectNamed('c', 9), objectNamed('d', 10)];
    server.resourceVersion = 10;
    watch.send('ERROR', { kind: 'Status', code: 410, reason: 'Expired' });
    const next = await server.nextWatch();
    expect(next.resourceVersion).toBe('10');
    await until(() => log.filter((line) => line === 'open').length === 2);
    expect(log).toEqual([
      'sync a@1 b@2 c@3',
      'open',
      'loss expired',
      'deleted a@1 by list',
      'modified c@9 by list',
      'added d@10 by list',
      'open',
    ]);
    expect(reflector.counts()).toEqual({ relists: 1, losses: 1 });
  });

  it('goes on through broken connections and refusals until the server is back', async () => {
    server.items = [objectNamed('a', 1)];
    const reflector = start();
    const watch = await server.nextWatch();
    server.refuse = { code: 503, reason: 'ServiceUnavailable' };
    watch.break();
    await until(() => reflector.counts().losses >= 4);
    server.refuse = undefined;
    await until(() => log.at(-1) === 'open');
    (await server.nextWatch()).send('MODIFIED', objectNamed('a', 2));
    await until(() => log.at(-1) === 'modified a@2 by watch');
    expect(server.lists).toBe(1);
  });

  it('waits longer between tries the longer the trouble lasts, but never more than 2 s', async () => {
    server.refuse = { code: 503, reason: 'ServiceUnavailable' };
    const reflector = start();
    await until(() => reflector.counts().losses === 9);
    expect(sleeps.slice(0, 7)).toEqual([100, 200, 400, 800, 1_600, 2_000, 2_000]);
  });

  it('ends with its signal, whatever it is doing', async () => {
    server.refuse = { code: 503, reason: 'ServiceUnavailable' };
    const reflector = start();
    await until(() => reflector.counts().losses === 3);
    stop.abort();
    await reflector.ended;
    await expect(reflector.synced).rejects.toThrow('stopped before');
    await expect(reflector.watching).rejects.toThrow('stopped before');
  });

  it('ends at once when the signal has ended before', async () => {
    stop.abort();
    await start().ended;
    expect(server.lists).toBe(0);
  });

  it('hands what a callback throws to who awaits its end', async () => {
    const reflector = startReflector({
      client,
      path: '/things',
      clock,
      signal: stop.signal,
      keep: (object) => object,
      onEvent: () => {
        throw new Error('a defect');
      },
    });
    (await server.nextWatch()).send('ADDED', objectNamed('a', 2));
    await expect(reflector.ended).rejects.toThrow('a defect');
  });
});
