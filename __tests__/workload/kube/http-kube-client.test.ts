import { afterEach, describe, expect, it } from '@jest/globals';
import type { RequestListener } from 'node:http';
import type { KubeClient } from '../../../workload/kube/kube-client.js';
import {
  createKubeClient,
  type KubeClientOptions,
} from '../../../workload/kube/http-kube-client.js';
import { bodyOf, startLoopbackServer, type LoopbackServer } from '../../helpers/loopback-server.js';
import { settled, createVirtualClock } from '../../helpers/virtual-clock.js';

const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const thing of open.splice(0).reverse()) await thing.close();
});

async function serve(listener: RequestListener): Promise<LoopbackServer> {
  const server = await startLoopbackServer(listener);
  open.push(server);
  return server;
}

function clientOf(server: string, options?: KubeClientOptions): KubeClient {
  const credential = { kind: 'token', token: 's3cret-t0ken' } as const;
  const client = createKubeClient({ server, credential }, options);
  open.push(client);
  return client;
}

const json = { 'content-type': 'application/json' };

describe('createKubeClient', () => {
  it('sends method, path, token and JSON body, and reads the JSON answer', async () => {
    let seen: unknown;
    const server = await serve((request, response) => {
      const { method, url, headers } = request;
      void bodyOf(request).then((body) => {
        seen = { method, url, body, type: headers['content-type'], auth: headers.authorization };
        response.writeHead(201, json).end('{"metadata":{"name":"größe"}}');
      });
    });
    const client = clientOf(server.url);
    const answer = await client.request('POST', '/api/v1/namespaces/n/configmaps', { a: 'ü' });
    expect(seen).toEqual({
      method: 'POST',
      url: '/api/v1/namespaces/n/configmaps',
      body: '{"a":"ü"}',
      type: 'application/json',
      auth: 'Bearer s3cret-t0ken',
    });
    expect(answer).toEqual({ ok: true, status: 201, body: { metadata: { name: 'größe' } } });
  });

  it('keeps the path that the server stands behind', async () => {
    const server = await serve((request, response) => {
      response.writeHead(200, json).end(JSON.stringify(request.url));
    });
    const client = clientOf(`${server.url}/k8s/clusters/c-1/`);
    expect(await client.request('GET', '/version')).toMatchObject({
      body: '/k8s/clusters/c-1/version',
    });
  });

  it('gives text that is not JSON as text', async () => {
    const server = await serve((_request, response) => response.end('ok'));
    const answer = await clientOf(server.url).request('GET', '/readyz');
    expect(answer).toEqual({ ok: true, status: 200, body: 'ok' });
  });

  it('sends each kind of patch under its own type, and apply with a manager', async () => {
    const seen: unknown[] = [];
    const server = await serve((request, response) => {
      seen.push([request.method, request.url, request.headers['content-type']]);
      response.writeHead(200, json).end('{}');
    });
    const client = clientOf(server.url);
    await client.patch('/x', 'merge', {});
    await client.patch('/x', 'strategic', {});
    await client.patch('/x', 'json', []);
    await client.patch('/x?force=true', 'apply', {});
    await client.patch('/x?fieldManager=me', 'apply', {});
    expect(seen).toEqual([
      ['PATCH', '/x', 'application/merge-patch+json'],
      ['PATCH', '/x', 'application/strategic-merge-patch+json'],
      ['PATCH', '/x', 'application/json-patch+json'],
      ['PATCH', '/x?force=true&fieldManager=meshscale', 'application/apply-patch+yaml'],
      ['PATCH', '/x?fieldManager=me', 'application/apply-patch+yaml'],
    ]);
  });

  it('uses one connection again and again', async () => {
    const server = await serve((_request, response) => response.writeHead(200, json).end('{}'));
    const client = clientOf(server.url, { connections: 1 });
    for (let count = 0; count < 20; count += 1) await client.request('GET', '/');
    expect(server.connections()).toBe(1);
  });

  it('never opens more connections than it may, and answers all the same', async () => {
    const server = await serve((_request, response) => response.writeHead(200, json).end('{}'));
    const client = clientOf(server.url, { connections: 4 });
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => client.request('GET', '/')),
    );
    expect(answers.every(({ ok }) => ok)).toBe(true);
    expect(server.connections()).toBe(4);
  });

  it('is not starved by watches, however many are open', async () => {
    const server = await serve((request, response) => {
      response.writeHead(200, json);
      if (request.url?.includes('watch=true') === true) response.flushHeaders();
      else response.end('{}');
    });
    const client = clientOf(server.url, { connections: 1 });
    const stop = new AbortController();
    const opened = Array.from(
      { length: 10 },
      () =>
        new Promise<void>((onOpen) => {
          const handlers = { onOpen, onEvent: () => undefined };
          void client.watch('/w', { resourceVersion: '1' }, handlers, stop.signal);
        }),
    );
    await Promise.all(opened);
    expect(await client.request('GET', '/')).toMatchObject({ ok: true });
    stop.abort();
  });
});

describe('a request that gets no good answer', () => {
  it('fails with the reason of Kubernetes, as a value', async () => {
    const body = JSON.stringify({
      kind: 'Status',
      code: 409,
      reason: 'AlreadyExists',
      message: 'm',
    });
    const server = await serve((_request, response) => response.writeHead(409, json).end(body));
    expect(await clientOf(server.url).request('POST', '/', {})).toEqual({
      ok: false,
      status: 409,
      reason: 'AlreadyExists',
      message: 'm',
    });
  });

  it('fails with the time that the server asks us to wait', async () => {
    const status = { reason: 'TooManyRequests', details: { retryAfterSeconds: 3 } };
    const server = await serve((_request, response) =>
      response.writeHead(429, json).end(JSON.stringify(status)),
    );
    const answer = await clientOf(server.url).request('GET', '/');
    expect(answer).toMatchObject({ status: 429, retryAfter: 3_000 });
  });

  it("fails with the start of a proxy's page when there is no Status", async () => {
    const server = await serve((_request, response) =>
      response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad Gateway'),
    );
    expect(await clientOf(server.url).request('GET', '/')).toEqual({
      ok: false,
      status: 502,
      reason: 'Http502',
      message: '<html>Bad Gateway',
    });
  });

  it('fails with status 0 and ECONNREFUSED when nothing listens', async () => {
    const server = await startLoopbackServer(() => undefined);
    await server.close();
    const answer = await clientOf(server.url).request('GET', '/');
    expect(answer).toMatchObject({ ok: false, status: 0, reason: 'ECONNREFUSED' });
  });

  it('fails with status 0 and ECONNRESET when the connection breaks', async () => {
    const server = await serve((request) => request.socket.destroy());
    const answer = await clientOf(server.url).request('POST', '/', {});
    expect(answer).toMatchObject({ ok: false, status: 0, reason: 'ECONNRESET' });
  });

  it('fails with Timeout when the server hangs, also while the request waits in line', async () => {
    const clock = createVirtualClock();
    const server = await serve(() => undefined);
    const client = clientOf(server.url, { clock, connections: 1 });
    const answers = Promise.all([
      client.request('GET', '/', undefined, { timeout: 5_000 }),
      client.request('GET', '/', undefined, { timeout: 5_000 }),
    ]);
    await clock.advance(5_100);
    for (const answer of await answers) {
      expect(answer).toMatchObject({ ok: false, status: 0, reason: 'Timeout' });
    }
  });

  it('fails with Aborted when the caller stops, and sends nothing that still waits', async () => {
    let requests = 0;
    const server = await serve((request, response) => {
      requests += 1;
      if (request.url === '/after') response.writeHead(200, json).end('{}');
    });
    const client = clientOf(server.url, { connections: 1 });
    const stop = new AbortController();
    const answers = ['/first', '/queued'].map((path) =>
      client.request('GET', path, undefined, { signal: stop.signal }),
    );
    while (requests === 0) await settled(1);
    stop.abort();
    for (const answer of await Promise.all(answers)) {
      expect(answer).toMatchObject({ status: 0, reason: 'Aborted' });
    }
    expect(await client.request('GET', '/after')).toMatchObject({ ok: true });
    expect(requests).toBe(2);
    const late = await client.request('GET', '/', undefined, { signal: stop.signal });
    expect(late).toMatchObject({ reason: 'Aborted' });
  });

  it('fails with Aborted after the client was closed', async () => {
    const server = await serve(() => undefined);
    const client = clientOf(server.url);
    const hanging = client.request('GET', '/');
    await settled(5);
    await client.close();
    expect(await hanging).toMatchObject({ status: 0, reason: 'Aborted' });
    expect(await client.request('GET', '/')).toMatchObject({ status: 0, reason: 'Aborted' });
  });

  it('fails without the token in any word of it', async () => {
    const server = await serve((request) => request.socket.destroy());
    const client = clientOf(server.url);
    const answer = await client.request('GET', '/');
    const listed = await client.list('/').catch((error: unknown) => error);
    expect(JSON.stringify([answer, listed, String(listed)])).not.toContain('s3cret-t0ken');
  });
});
