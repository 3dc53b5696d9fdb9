import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { userErrorsOf } from '../../../model/user-error.js';
import type {
  EtcdClient,
  EtcdEvent,
  EtcdWatchEnd,
} from '../../../workload/kube/etcd/etcd-client.js';
import { createEtcdClient } from '../../../workload/kube/etcd/grpc-etcd-client.js';
import { freePorts, startRealEtcd, type RealEtcd } from '../../helpers/real-etcd.js';

let etcd: RealEtcd;
let client: EtcdClient;
let stop: AbortController;

beforeAll(async () => {
  etcd = await startRealEtcd();
  client = createEtcdClient(etcd.access);
}, 90_000);

afterAll(async () => {
  client.close();
  await etcd.stop();
});

beforeEach(() => {
  stop = new AbortController();
});

afterEach(async () => {
  stop.abort();
  await client.deletePrefix('');
});

interface Followed {
  readonly events: EtcdEvent[];
  /** How many came at once, each time. */
  readonly batches: number[];
  readonly opened: Promise<string>;
  readonly end: Promise<EtcdWatchEnd>;
  /** Resolves when so many events are there. */
  seen(count: number): Promise<void>;
}

function follow(prefix: string, startRevision?: string): Followed {
  const events: EtcdEvent[] = [];
  const batches: number[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  let onOpen: (revision: string) => void = () => undefined;
  const opened = new Promise<string>((resolve) => (onOpen = resolve));
  const handlers = {
    onOpen,
    onEvents: (batch: readonly EtcdEvent[]) => {
      events.push(...batch);
      batches.push(batch.length);
      for (const { count, resolve } of waiting) if (events.length >= count) resolve();
    },
  };
  const end = client.watchPrefix(prefix, { startRevision, signal: stop.signal }, handlers);
  const seen = (count: number): Promise<void> =>
    new Promise((resolve) => {
      if (events.length >= count) resolve();
      else waiting.push({ count, resolve });
    });
  return { events, batches, opened, end, seen };
}

const text = (value: Uint8Array | undefined): string => Buffer.from(value ?? []).toString();

describe('reading and writing', () => {
  it('writes, reads, counts and deletes keys, and no neighbour of a prefix', async () => {
    const first = await client.put('a/ü', 'größe');
    await client.put('a/b', Buffer.from([0, 255]));
    await client.put('a0', 'neighbour');
    const found = await client.get('a/ü');
    expect(text(found?.value)).toBe('größe');
    expect(found).toMatchObject({ key: 'a/ü', createRevision: first, modRevision: first });
    expect(await client.get('nothing')).toBeUndefined();
    const { entries } = await client.readPrefix('a/');
    expect(entries.map(({ key }) => key)).toEqual(['a/b', 'a/ü']);
    expect([...(entries[0]?.value ?? [])]).toEqual([0, 255]);
    expect(await client.countPrefix('a/')).toMatchObject({ count: 2 });
    expect(await client.countPrefix('')).toMatchObject({ count: 3 });
    expect(await client.delete('a/b')).toBe(1);
    expect(await client.delete('a/b')).toBe(0);
    expect(await client.deletePrefix('a')).toBe(2);
  });

  it('reads more keys than a page holds, all at one revision', async () => {
    for (let page = 0; page < 13; page += 1) {
      const names = Array.from({ length: 100 }, (_, index) => `k/${page * 100 + index}`);
      await client.putAll(names.map((key) => ({ key, value: 'v' })));
    }
    const reading = client.readPrefix('k/');
    const writing = client.put('k/9999', 'meanwhile');
    const { revision, entries } = await reading;
    await writing;
    expect(new Set(entries.map(({ key }) => key)).size).toBeGreaterThanOrEqual(1_300);
    expect(entries.every((entry) => BigInt(entry.modRevision) <= BigInt(revision))).toBe(true);
  });

  it('reads answers beyond the 4 MiB at which gRPC stops by default', async () => {
    const value = 'x'.repeat(1_000_000);
    for (let count = 0; count < 6; count += 1) await client.put(`big/${count}`, value);
    expect((await client.readPrefix('big/')).entries).toHaveLength(6);
  });

  it('writes many keys in one revision', async () => {
    const entries = ['x', 'y'].map((key) => ({ key, value: key }));
    const revision = await client.putAll(entries);
    expect((await client.get('x'))?.modRevision).toBe(revision);
    expect((await client.get('y'))?.modRevision).toBe(revision);
  });

  it('fails with a user error when etcd refuses', async () => {
    const entries = Array.from({ length: 129 }, (_, index) => ({ key: `${index}`, value: '' }));
    const error: unknown = await client.putAll(entries).catch((thrown: unknown) => thrown);
    expect(userErrorsOf(error)[0]).toMatchObject({ code: 'kube/etcd-refused' });
    expect(userErrorsOf(error)[0]?.given).toContain('too many operations');
  });

  it('tells version, size and revision', async () => {
    const revision = await client.put('s', 's');
    const status = await client.status();
    expect(status.version).toMatch(/^3\.\d+\.\d+/);
    expect(status.sizeBytes).toBeGreaterThan(1_000);
    expect(BigInt(status.revision)).toBeGreaterThanOrEqual(BigInt(revision));
  });
});

describe('a watch', () => {
  it('is confirmed before it tells what happens under its prefix', async () => {
    await client.put('w/before', 'x');
    const watch = follow('w/');
    const revision = BigInt(await watch.opened);
    await client.put('v/other', 'x');
    const put = await client.put('w/a', '1');
    await client.delete('w/a');
    await watch.seen(2);
    expect(watch.events).toMatchObject([
      { type: 'put', entry: { key: 'w/a', modRevision: put } },
      { type: 'delete', key: 'w/a', modRevision: String(BigInt(put) + 1n) },
    ]);
    expect(BigInt(put)).toBeGreaterThan(revision);
  });

  it('resumes at a revision', async () => {
    const first = await client.put('w/a', '1');
    await client.put('w/b', '2');
    const watch = follow('w/', first);
    await watch.seen(2);
    expect(watch.events).toHaveLength(2);
  });

  it('keeps a revision in one piece, however large it is', async () => {
    const start = await client.put('w/0', 'first');
    const value = 'x'.repeat(14_000);
    for (let part = 0; part < 4; part += 1) {
      const names = Array.from({ length: 100 }, (_, index) => `w/${part}-${index}`);
      await client.putAll(names.map((key) => ({ key, value })));
    }
    const watch = follow('w/', start);
    await watch.seen(401);
    expect(watch.events).toHaveLength(401);
    const first = watch.batches.map((_, index) =>
      watch.batches.slice(0, index + 1).reduce((sum, size) => sum + size, 0),
    );
    expect(first.every((total) => total % 100 === 1)).toBe(true);
  });

  it('ends as compacted when its revision is gone', async () => {
    const old = await client.put('w/a', '1');
    await client.put('w/a', '2');
    const now = await client.put('w/a', '3');
    await client.compact(now);
    const end = await follow('w/', old).end;
    expect(end).toEqual({ reason: 'compacted', compactRevision: now });
  });

  it('ends as aborted when the caller stops, and at once when he has before', async () => {
    const watch = follow('w/');
    await watch.opened;
    stop.abort();
    expect(await watch.end).toEqual({ reason: 'aborted' });
    expect(await follow('w/').end).toEqual({ reason: 'aborted' });
  });

  it('ends as aborted when the client is closed', async () => {
    const other = createEtcdClient(etcd.access);
    const { signal } = new AbortController();
    const opened = new Promise<EtcdWatchEnd>((resolve) => {
      const end = other.watchPrefix(
        'w/',
        { signal },
        {
          onOpen: () => {
            other.close();
            resolve(end);
          },
          onEvents: () => undefined,
        },
      );
    });
    expect(await opened).toEqual({ reason: 'aborted' });
  });

  it('rejects with what a handler throws', async () => {
    const defect = new Error('a defect');
    const end = client.watchPrefix(
      'w/',
      { signal: stop.signal },
      {
        onOpen: () => void client.put('w/a', '1'),
        onEvents: () => {
          throw defect;
        },
      },
    );
    await expect(end).rejects.toBe(defect);
  });
});

describe('an etcd that goes away', () => {
  it('ends watches as lost, and serves the same client again when it is back', async () => {
    const watch = follow('w/');
    await watch.opened;
    await client.put('w/kept', '1');
    await etcd.kill();
    const end = await watch.end;
    expect(end.reason).toBe('lost');
    expect(end.reason === 'lost' ? userErrorsOf(end.cause)[0]?.code : '').toMatch(/^kube\/etcd-/);
    await etcd.restart();
    await client.ready(30_000);
    expect(text((await client.get('w/kept'))?.value)).toBe('1');
  }, 60_000);

  it('fails with what was seen last when it is not ready in time', async () => {
    const [port = 0] = await freePorts(1);
    const lonely = createEtcdClient({ endpoint: `http://127.0.0.1:${port}` });
    const error: unknown = await lonely.ready(200).catch((thrown: unknown) => thrown);
    expect(userErrorsOf(error)[0]).toMatchObject({ code: 'kube/etcd-unreachable' });
    expect(userErrorsOf(error)[0]?.given).toContain('ECONNREFUSED');
    lonely.close();
  });
});

describe('an etcd with client certificates', () => {
  it('serves who shows one, and fails for who does not', async () => {
    const secure = await startRealEtcd({ tls: true });
    const known = createEtcdClient(secure.access);
    const { endpoint, caPem } = secure.access;
    const stranger = createEtcdClient({ endpoint, caPem });
    try {
      await known.put('a', '1');
      expect(text((await known.get('a'))?.value)).toBe('1');
      const error: unknown = await stranger.get('a').catch((thrown: unknown) => thrown);
      expect(userErrorsOf(error)[0]?.code).toBe('kube/etcd-unreachable');
    } finally {
      known.close();
      stranger.close();
      await secure.stop();
    }
  }, 60_000);
});
