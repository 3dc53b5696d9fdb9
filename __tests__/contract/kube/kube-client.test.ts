import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { userErrorsOf } from '../../../model/user-error.js';
import type {
  KubeClient,
  KubeObject,
  KubeWatchEvent,
  WatchEnd,
} from '../../../workload/kube/kube-client.js';
import { createEtcdClient } from '../../../workload/kube/etcd/grpc-etcd-client.js';
import { createKubeClient } from '../../../workload/kube/http-kube-client.js';
import { listPages } from '../../../workload/kube/list-pages.js';
import { startReflector } from '../../../workload/kube/reflector.js';
import { systemClock } from '../../../workload/platform/clock.js';
import { startRealKube, type RealKube } from '../../helpers/real-kube.js';

const MAPS = '/api/v1/namespaces/default/configmaps';

let kube: RealKube;
let client: KubeClient;
let stop: AbortController;

beforeAll(async () => {
  kube = await startRealKube();
  client = createKubeClient(kube.admin);
}, 180_000);

afterAll(async () => {
  await client.close();
  await kube.stop();
});

beforeEach(() => {
  stop = new AbortController();
});

afterEach(async () => {
  stop.abort();
  await client.request('DELETE', `${MAPS}?labelSelector=test`);
});

function configMap(name: string, data: Record<string, string> = {}): object {
  const metadata = { name, labels: { test: 'yes' } };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
}

function create(name: string): Promise<unknown> {
  return client.request('POST', MAPS, configMap(name));
}

interface Followed {
  readonly events: KubeWatchEvent[];
  readonly opened: Promise<void>;
  readonly end: Promise<WatchEnd>;
  first(matches: (event: KubeWatchEvent) => boolean): Promise<KubeWatchEvent>;
}

function follow(resourceVersion: string): Followed {
  const events: KubeWatchEvent[] = [];
  const waiting: ((event: KubeWatchEvent) => void)[] = [];
  let onOpen: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (onOpen = resolve));
  const from = { resourceVersion, query: { labelSelector: 'test' } };
  const onEvent = (event: KubeWatchEvent): void => {
    events.push(event);
    for (const tell of waiting) tell(event);
  };
  const end = client.watch(MAPS, from, { onOpen, onEvent }, stop.signal);
  const first = (matches: (event: KubeWatchEvent) => boolean): Promise<KubeWatchEvent> =>
    new Promise((resolve) => {
      waiting.push((event) => {
        if (matches(event)) resolve(event);
      });
      for (const event of events) if (matches(event)) resolve(event);
    });
  return { events, opened, end, first };
}

const names = (objects: readonly KubeObject[]): string[] =>
  objects.map(({ metadata }) => metadata.name);

describe('a client of a real API server', () => {
  it('creates, reads, patches in every way, and deletes', async () => {
    expect(await create('a')).toMatchObject({ ok: true, status: 201 });
    expect(await create('a')).toMatchObject({ ok: false, status: 409, reason: 'AlreadyExists' });
    const path = `${MAPS}/a`;
    const json = [{ op: 'add', path: '/data', value: { j: '1' } }];
    expect(await client.patch(path, 'json', json)).toMatchObject({ ok: true });
    expect(await client.patch(path, 'merge', { data: { m: '1' } })).toMatchObject({ ok: true });
    expect(await client.patch(path, 'strategic', { data: { s: '1' } })).toMatchObject({ ok: true });
    const applied = configMap('a', { applied: '1' });
    expect(await client.patch(path, 'apply', applied)).toMatchObject({ ok: true });
    expect(await client.request('GET', path)).toMatchObject({
      body: { data: { j: '1', m: '1', s: '1', applied: '1' } },
    });
    expect(await client.request('DELETE', path)).toMatchObject({ ok: true });
    expect(await client.request('GET', path)).toMatchObject({ status: 404, reason: 'NotFound' });
  });

  it('lists more objects than a page holds, each once', async () => {
    await Promise.all(Array.from({ length: 1_100 }, (_, index) => create(`p-${index}`)));
    const list = await client.list(MAPS, { query: { labelSelector: 'test' } });
    expect(new Set(names(list.items)).size).toBe(1_100);
    expect(list.items).toHaveLength(1_100);
    expect(Number(list.resourceVersion)).toBeGreaterThan(1);
  }, 60_000);

  it('lists completely even when etcd is compacted between the pages', async () => {
    await Promise.all(Array.from({ length: 600 }, (_, index) => create(`q-${index}`)));
    const etcd = createEtcdClient(kube.etcd.access);
    let pages = 0;
    const compacting: KubeClient = {
      ...client,
      request: async (...request) => {
        const answer = await client.request(...request);
        pages += 1;
        await create(`later-${pages}`);
        await etcd.compact((await etcd.status()).revision);
        return answer;
      },
    };
    const query = { labelSelector: 'test' };
    const list = await listPages(compacting, { path: MAPS, query, keep: (object) => object });
    etcd.close();
    expect(pages).toBeGreaterThan(1);
    const found = names(list.items).filter((name) => name.startsWith('q-'));
    expect(new Set(found).size).toBe(600);
    expect(found).toHaveLength(600);
  }, 60_000);

  it('watches from a list on, in order', async () => {
    const { resourceVersion } = await client.list(MAPS);
    const watch = follow(resourceVersion);
    await watch.opened;
    await create('w');
    await client.patch(`${MAPS}/w`, 'merge', { data: { a: 'größe' } });
    await client.request('DELETE', `${MAPS}/w`);
    await watch.first(({ type }) => type === 'deleted');
    const changes = watch.events.filter(({ type }) => type !== 'bookmark');
    expect(changes.map(({ type }) => type)).toEqual(['added', 'modified', 'deleted']);
    expect(changes[1]).toMatchObject({ object: { data: { a: 'größe' } } });
    stop.abort();
    expect(await watch.end).toEqual({ reason: 'aborted' });
  });

  it('keeps a reflector in step', async () => {
    await create('r-1');
    const seen: string[] = [];
    let onLast: () => void = () => undefined;
    const last = new Promise<void>((resolve) => (onLast = resolve));
    const reflector = startReflector({
      client,
      path: MAPS,
      query: { labelSelector: 'test' },
      clock: systemClock,
      signal: stop.signal,
      keep: ({ metadata }) => metadata.name,
      onSync: (items) => seen.push(`sync ${items.join(' ')}`),
      onEvent: ({ type, object }) => {
        seen.push(`${type} ${object}`);
        if (type === 'deleted') onLast();
      },
    });
    await reflector.watching;
    await create('r-2');
    await client.request('DELETE', `${MAPS}/r-1`);
    await last;
    expect(seen).toEqual(['sync r-1', 'added r-2', 'deleted r-1']);
    stop.abort();
    await reflector.ended;
  });
});

describe('an API server that goes away', () => {
  it('is resumed by a reflector, which tells even a deletion that no watch has seen', async () => {
    await create('kept');
    await create('gone');
    const seen: string[] = [];
    const waiting: { line: string; resolve: () => void }[] = [];
    const tell = (line: string): void => {
      seen.push(line);
      for (const { line: awaited, resolve } of waiting) if (awaited === line) resolve();
    };
    const until = (line: string): Promise<void> =>
      new Promise((resolve) => waiting.push({ line, resolve }));
    const reflector = startReflector({
      client,
      path: MAPS,
      query: { labelSelector: 'test' },
      clock: systemClock,
      signal: stop.signal,
      keep: ({ metadata }) => metadata.name,
      onEvent: ({ type, object, seenBy }) => {
        tell(`${type} ${object} by ${seenBy}`);
      },
      onLoss: ({ reason }) => {
        tell(`loss ${reason}`);
      },
    });
    await reflector.watching;
    const { resourceVersion } = await client.list(MAPS);
    const deletion = until('deleted gone by list');
    await kube.kill();
    const etcd = createEtcdClient(kube.etcd.access);
    expect(await etcd.delete('/registry/configmaps/default/gone')).toBe(1);
    etcd.close();
    await kube.restart();
    await deletion;
    expect(seen[0]).toMatch(/^loss (failed|closed)$/);
    expect(seen).toContain('loss expired');
    expect(reflector.items()).toEqual(['kept']);
    expect(reflector.counts().relists).toBe(1);
    const addition = until('added later by watch');
    await create('later');
    await addition;
    expect(await follow(resourceVersion).end).toEqual({ reason: 'expired' });
  }, 120_000);
});

describe('a client that is not let in', () => {
  it('fails as forbidden when it is known and has no right', async () => {
    const stranger = createKubeClient(kube.stranger);
    const answer = await stranger.request('GET', MAPS);
    expect(answer).toMatchObject({ ok: false, status: 403, reason: 'Forbidden' });
    const error: unknown = await stranger.list(MAPS).catch((thrown: unknown) => thrown);
    expect(userErrorsOf(error)[0]?.code).toBe('kube/forbidden');
    await stranger.close();
  });

  it('fails as expired credentials when its token is not known', async () => {
    const credential = { kind: 'token', token: 'wrong' } as const;
    const unknown = createKubeClient({ ...kube.stranger, credential });
    const error: unknown = await unknown.list(MAPS).catch((thrown: unknown) => thrown);
    expect(userErrorsOf(error)[0]?.code).toBe('kube/credentials-expired');
    await unknown.close();
  });
});
