import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createNodeHttp } from '../../fleet/platform/node-http.js';
import { proxyOf } from '../../fleet/platform/proxy.js';
import type { Environment } from '../../fleet/ports.js';
import { createLoopbackAuthority } from '../../sim/fleet-service/authority.js';
import { startLoopbackServer, type LoopbackServer } from '../helpers/loopback-server.js';

describe('a proxy', () => {
  let azure: LoopbackServer;
  let caPem: string;
  let proxy: Server;
  let asked: { readonly place: string | undefined; readonly login: string | undefined }[];
  let refuse: boolean;
  let sockets: Duplex[];

  beforeEach(async () => {
    asked = [];
    refuse = false;
    sockets = [];
    const authority = await createLoopbackAuthority();
    caPem = authority.caPem;
    const tls = { cert: authority.certPem, key: authority.keyPem };
    azure = await startLoopbackServer((request, response) => {
      response.end(`${request.method} ${request.url} ${request.headers.authorization}`);
    }, tls);
    proxy = createServer().on('connect', (request, socket) => {
      sockets.push(socket.on('error', () => undefined));
      asked.push({ place: request.url, login: request.headers['proxy-authorization'] });
      if (refuse) {
        socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
        return;
      }
      const { hostname, port } = new URL(`http://${request.url ?? ''}`);
      const through = connect(Number(port), hostname, () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        through.pipe(socket).pipe(through);
      });
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  });

  afterEach(async () => {
    for (const socket of sockets) socket.destroy(); // the server does not know them any more
    proxy.closeAllConnections();
    await new Promise((resolve) => proxy.close(resolve));
    await azure.close();
  });

  const proxyUrl = (login = '') =>
    `http://${login}127.0.0.1:${(proxy.address() as AddressInfo).port}`;

  async function ask(env: Environment): Promise<string> {
    const { send, close } = createNodeHttp({ caPem, proxy: proxyOf(env) });
    try {
      const headers = { authorization: 'Bearer token' };
      return (await send({ method: 'GET', url: `${azure.url}/fleets?a=%2F`, headers })).body;
    } finally {
      close();
    }
  }

  it('carries requests to Azure through a tunnel, so that it sees no token', async () => {
    const body = await ask({ HTTPS_PROXY: proxyUrl('user:pass%40word@') });
    expect(body).toBe('GET /fleets?a=%2F Bearer token');
    const login = `Basic ${Buffer.from('user:pass@word').toString('base64')}`;
    expect(asked).toEqual([{ place: azure.url.replace('https://', ''), login }]);
  });

  it.each(['127.0.0.1', '*', 'example.org, 127.0.0.1:443'])(
    'is left out for %s',
    async (spared) => {
      expect(await ask({ https_proxy: proxyUrl(), NO_PROXY: spared })).toContain('GET /fleets');
      expect(asked).toEqual([]);
    },
  );

  it('is left out for the hosts of a domain, with or without a dot before it', () => {
    const spares = (no: string) => proxyOf({ https_proxy: 'http://p', no_proxy: no })?.spares;
    for (const no of ['azure.com', '.azure.com', '*.azure.com']) {
      expect(spares(no)?.('management.Azure.com')).toBe(true);
      expect(spares(no)?.('notazure.com')).toBe(false);
    }
  });

  it('fails with what it answered when it refuses', async () => {
    refuse = true;
    await expect(ask({ HTTPS_PROXY: proxyUrl() })).rejects.toThrow('answers 407');
  });

  it('fails for an address that is none, without showing a password', () => {
    expect(() => proxyOf({ HTTPS_PROXY: 'proxy:hunter2@host' })).toThrow(
      expect.objectContaining({
        code: 'azure/bad-endpoint',
        given: expect.not.stringContaining('hunter2'),
      }),
    );
  });
});
