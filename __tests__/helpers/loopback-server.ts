import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A real server on a free port of the loopback. */
export interface LoopbackServer {
  readonly url: string;
  /** Connections accepted so far. */
  connections(): number;
  /** Breaks every connection and stops listening. */
  close(): Promise<void>;
}

/** Serves until it is closed; https when TLS options are given. */
export async function startLoopbackServer(
  listener: RequestListener,
  tls?: ServerOptions,
): Promise<LoopbackServer> {
  const server: Server =
    tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  let connections = 0;
  server.on(tls === undefined ? 'connection' : 'secureConnection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

/** The whole body of a request. */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
