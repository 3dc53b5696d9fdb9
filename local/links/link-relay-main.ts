import { createServer, type Server } from 'node:http';
import type { Clock } from '../../workload/platform/clock.js';
import { linkFile } from '../state/link-file.js';
import { createRelay, type Relay } from './relay.js';

/** What the relay's own process is given. */
export interface RelayProcess {
  readonly links: string;
  readonly port: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * The relay as a process: carries what links.json says, and serves on loopback `GET /readyz`,
 * `GET /metrics` and `POST /reload` (reads links.json again; answers when the links are carried).
 */
export async function runLinkRelay(given: RelayProcess): Promise<void> {
  const { clock, signal } = given;
  const relay = createRelay({
    now: () => Number(clock.monoNs()) / 1e6,
    after: (delay, callback) => {
      void clock.sleep(delay, signal).then(callback, () => undefined);
    },
  });
  const reload = reloader(given, relay);
  await reload();
  const server = await serve(given.port, relay, reload);
  await aborted(signal);
  server.closeAllConnections();
  server.close();
  await relay.close();
}

/** Reloads one after another, so that two requests never mix their links. */
function reloader(given: RelayProcess, relay: Relay): () => Promise<void> {
  const file = linkFile(given.links);
  let last: Promise<void> = Promise.resolve();
  return () => {
    const next = last.then(async () => relay.apply((await file.read())?.links ?? []));
    last = next.catch(() => undefined);
    return next;
  };
}

async function serve(port: number, relay: Relay, reload: () => Promise<void>): Promise<Server> {
  const server = createServer((request, response) => {
    const answer = (status: number, text: string): void => {
      response.writeHead(status, { 'content-type': 'text/plain; version=0.0.4' }).end(text);
    };
    if (request.method === 'POST' && request.url === '/reload') {
      reload().then(
        () => {
          answer(200, 'ok\n');
        },
        (error: unknown) => {
          answer(500, `${error instanceof Error ? error.message : String(error)}\n`);
        },
      );
    } else if (request.url === '/readyz') answer(200, 'ok\n');
    else if (request.url === '/metrics') answer(200, metricsText(relay));
    else answer(404, 'not found\n');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port }, resolve);
  });
  return server;
}

function metricsText(relay: Relay): string {
  const families = {
    meshscale_link_connections_total: 'connections',
    meshscale_link_bytes_to_source_total: 'bytesToSource',
    meshscale_link_bytes_to_reader_total: 'bytesToReader',
    meshscale_link_refused_total: 'refused',
  } as const;
  const lines = Object.entries(families).flatMap(([family, field]) => [
    `# TYPE ${family} counter`,
    ...[...relay.counters()].map(
      ([link, counters]) => `${family}{link="${link}"} ${counters[field]}`,
    ),
  ]);
  return `${lines.join('\n')}\n`;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => {
      resolve();
    });
  });
}
