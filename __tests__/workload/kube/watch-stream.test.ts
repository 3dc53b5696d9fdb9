import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { userErrorsOf } from '../../../model/user-error.js';
import type { KubeClient, KubeWatchEvent, WatchEnd } from '../../../workload/kube/kube-client.js';
import { createKubeClient } from '../../../workload/kube/http-kube-client.js';
import {
  objectNamed,
  startFakeApiServer,
  type FakeApiServer,
} from '../../helpers/fake-api-server.js';
import { startLoopbackServer } from '../../helpers/loopback-server.js';
import { createVirtualClock, settled } from '../../helpers/virtual-clock.js';

let server: FakeApiServer;
let client: KubeClient;
let stop: AbortController;

beforeEach(async () => {
  server = await startFakeApiServer();
  client = createKubeClient({ server: server.url, credential: { kind: 'none' } });
  stop = new AbortController();
});

afterEach(async () => {
  stop.abort();
  await client.close();
  await server.close();
});

interface Followed {
  readonly log: string[];
  readonly events: KubeWatchEvent[];
  readonly end: Promise<WatchEnd>;
}

function follow(query?: Record<string, string>): Followed {
  const log: string[] = [];
  const events: KubeWatchEvent[] = [];
  const handlers = {
    onOpen: () => log.push('open'),
    onBytes: () => log.push('bytes'),
    onEvent: (event: KubeWatchEvent) => {
      log.push(event.type);
      events.push(event);
    },
  };
  const end = client.watch('/things', { resourceVersion: '7', query }, handlers, stop.signal);
  return { log, events, end };
}

/** Lets bytes that were written arrive: each has to cross the kernel. */
async function until(condition: () => boolean): Promise<void> {
  for (let round = 0; round < 5_000 && !condition(); round += 1) await settled(1);
  expect(condition()).toBe(true);
}

function codesOf(end: WatchEnd): string[] {
  return end.reason === 'failed' ? userErrorsOf(end.cause).map(({ code }) => code) : [end.reason];
}

describe('a watch', () => {
  it('starts where it was told and gives events in order', async () => {
    const { events, log, end } = follow();
    const watch = await server.nextWatch();
    expect(watch.resourceVersion).toBe('7');
    watch.send('ADDED', objectNamed('a', 8));
    watch.send('MODIFIED', objectNamed('a', 9));
    watch.send('BOOKMARK', { metadata: { resourceVersion: '12' } });
    watch.send('DELETED', objectNamed('a', 13));
    watch.end();
    expect(await end).toEqual({ reason: 'closed' });
    expect(events).toEqual([
      { type: 'added', object: objectNamed('a', 8) },
      { type: 'modified', object: objectNamed('a', 9) },
      { type: 'bookmark', resourceVersion: '12' },
      { type: 'deleted', object: objectNamed('a', 13) },
    ]);
    expect(log[0]).toBe('open');
  });

  it('tells that it is open before any event, and that bytes are there before they are parsed', async () => {
    const { log } = follow();
    const watch = await server.nextWatch();
    await until(() => log.length === 1);
    expect(log).toEqual(['open']);
    const lines = ['a', 'b'].map((name) =>
      JSON.stringify({ type: 'ADDED', object: objectNamed(name, 8) }),
    );
    watch.write(`${lines.join('\n')}\n`);
    await until(() => log.length === 4);
    expect(log).toEqual(['open', 'bytes', 'added', 'added']);
  });

  it('puts an event together that comes in pieces, cut within a character', async () => {
    const { events } = follow();
    const watch = await server.nextWatch();
    const object = { kind: 'Thing', metadata: { name: 'grüße-😀' } };
    const bytes = Buffer.from(`${JSON.stringify({ type: 'ADDED', object })}\n`);
    const cut = bytes.indexOf(0xf0) + 2;
    watch.write(bytes.subarray(0, cut));
    await settled();
    expect(events).toEqual([]);
    watch.write(bytes.subarray(cut));
    await until(() => events.length === 1);
    expect(events).toEqual([{ type: 'added', object }]);
  });

  it('ends as expired on an ERROR event with 410', async () => {
    const { end } = follow();
    (await server.nextWatch()).send('ERROR', { kind: 'Status', code: 410, reason: 'Expired' });
    expect(await end).toEqual({ reason: 'expired' });
  });

  it('ends as expired when it is refused with 410 at once', async () => {
    server.refuse = { code: 410, reason: 'Expired' };
    expect(await follow().end).toEqual({ reason: 'expired' });
  });

  it('ends as aborted when the caller stops, and gives nothing after that', async () => {
    const { end, events } = follow();
    const watch = await server.nextWatch();
    stop.abort();
    watch.send('ADDED', objectNamed('late', 8));
    expect(await end).toEqual({ reason: 'aborted' });
    await settled();
    expect(events).toEqual([]);
    expect(await follow().end).toEqual({ reason: 'aborted' });
  });

  it('ends as aborted when the client is closed', async () => {
    const { end } = follow();
    await server.nextWatch();
    await client.close();
    expect(await end).toEqual({ reason: 'aborted' });
  });

  it('fails when the connection breaks', async () => {
    const { end } = follow();
    (await server.nextWatch()).break();
    expect(codesOf(await end)).toEqual(['kube/unreachable']);
  });

  it('fails on an ERROR event of another kind', async () => {
    const { end } = follow();
    (await server.nextWatch()).send('ERROR', {
      kind: 'Status',
      code: 500,
      reason: 'InternalError',
    });
    expect(codesOf(await end)).toEqual(['kube/refused']);
  });

  it.each([
    [401, 'kube/credentials-expired'],
    [403, 'kube/forbidden'],
    [404, 'kube/not-served'],
    [503, 'kube/refused'],
  ])('fails with a user error when it is refused with %i', async (code, expected) => {
    server.refuse = { code, reason: 'No' };
    expect(codesOf(await follow().end)).toEqual([expected]);
  });

  it.each(['not json\n', 'null\n', '{"type":"ODD","object":{}}\n', '{"type":"ADDED"}\n'])(
    'fails on a line that is no event: %j',
    async (line) => {
      const { end } = follow();
      (await server.nextWatch()).write(line);
      expect(codesOf(await end)).toEqual(['kube/watch-broken']);
    },
  );

  it('fails when a server does not accept it in time', async () => {
    const clock = createVirtualClock();
    const hanging = await startLoopbackServer(() => undefined);
    const patient = createKubeClient(
      { server: hanging.url, credential: { kind: 'none' } },
      { clock },
    );
    const handlers = { onEvent: () => undefined };
    const end = patient.watch('/', { resourceVersion: '1' }, handlers, stop.signal);
    await clock.advance(31_000);
    expect(codesOf(await end)).toEqual(['kube/unreachable']);
    await patient.close();
    await hanging.close();
  });

  it('hands what a handler throws to the caller', async () => {
    const defect = new Error('a defect');
    const handlers = {
      onEvent: () => {
        throw defect;
      },
    };
    const end = client.watch('/', { resourceVersion: '1' }, handlers, stop.signal);
    (await server.nextWatch()).send('ADDED', objectNamed('a', 2));
    await expect(end).rejects.toBe(defect);
  });
});
