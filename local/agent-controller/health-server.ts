import { createServer, type RequestListener, type Server } from 'node:http';
import { once } from 'node:events';

/** What the server tells. */
export interface HealthSource {
  /** What is still missing; empty when ready. */
  missing(): readonly string[];
  /** The text format of Prometheus. */
  metrics(): string;
}

/** A listening health server. */
export interface HealthServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves `/livez`, `/readyz` and `/metrics` on the loopback; port 0 takes any. Rejects with the
 * system's error when the port cannot be had.
 */
export async function serveHealth(port: number, source: HealthSource): Promise<HealthServer> {
  const server = createServer(answer(source));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () => closeNow(server),
  };
}

function answer(source: HealthSource): RequestListener {
  return (request, response) => {
    const say = (status: number, text: string): void => {
      response.writeHead(status, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
      response.end(text);
    };
    const missing = source.missing();
    switch ((request.url ?? '').split('?')[0] ?? '') {
      case '/livez':
        say(200, 'ok\n');
        return;
      case '/readyz':
        if (missing.length === 0) say(200, 'ok\n');
        else say(503, `not ready: ${missing.join(', ')}\n`);
        return;
      case '/metrics':
        say(200, source.metrics());
        return;
      default:
        say(404, 'known here: /livez, /readyz, /metrics\n');
    }
  };
}

async function closeNow(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
