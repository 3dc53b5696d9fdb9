import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { Outcome, ServiceRequest } from './answers.js';
import { createLoopbackAuthority } from './authority.js';
import { controlAnswer } from './control.js';
import type { MovingClock } from './moving-clock.js';
import type { FleetService } from './service.js';

/** A service behind TLS on a free port of the loopback. */
export interface FleetServer {
  /** `https://127.0.0.1:41231` */
  readonly origin: string;
  /** The CA that clients have to trust, PEM. */
  readonly caPem: string;
  close(): Promise<void>;
}

/**
 * Serves a service by HTTPS. Time stands still while a request is under way, and moves on only when all
 * there is to do is to wait: for clients in this process by the clock itself, for others by
 * `POST /_control/sleep`.
 */
export async function serveFleet(service: FleetService, clock: MovingClock): Promise<FleetServer> {
  const { caPem, certPem, keyPem } = await createLoopbackAuthority();
  let origin = '';
  const server = createServer({ cert: certPem, key: keyPem }, (request, response) => {
    void answer(service, clock, request, response, () => origin);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  origin = `https://127.0.0.1:${address.port}`;
  return {
    origin,
    caPem,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

async function answer(
  service: FleetService,
  clock: MovingClock,
  incoming: IncomingMessage,
  response: ServerResponse,
  origin: () => string,
): Promise<void> {
  const release = clock.hold();
  let held = true;
  const letGo = (): void => {
    if (held) release();
    held = false;
  };
  try {
    const request = await readRequest(incoming, origin());
    const waits = service.state.knobs.answerMs > 0 || request.path.startsWith('/_control/sleep');
    const slow = service.state.knobs.faults.some(({ kind, times }) => kind === 'slow' && times > 0);
    if (waits || slow) letGo();
    const control = await controlAnswer(service, clock, request);
    const outcome: Outcome =
      control === undefined ? await service.handle(request) : { kind: 'answer', answer: control };
    send(response, outcome);
  } catch {
    response.destroy();
  } finally {
    letGo();
  }
}

async function readRequest(incoming: IncomingMessage, origin: string): Promise<ServiceRequest> {
  let body = '';
  for await (const part of incoming) body += String(part);
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
  return {
    method: incoming.method ?? 'GET',
    path: incoming.url ?? '/',
    headers: Object.fromEntries(headers) as Record<string, string>,
    body,
    origin,
  };
}

function send(response: ServerResponse, outcome: Outcome): void {
  if (outcome.kind === 'hang') return; // until the client gives up or the server closes
  if (outcome.kind === 'reset') {
    response.socket?.destroy();
    return;
  }
  const { status, headers, body } = outcome.answer;
  response.writeHead(status, {
    ...headers,
    'x-ms-request-id': '8b1f6a0e-0000-4000-8000-000000000000',
    ...(status === 204 ? {} : { 'content-length': Buffer.byteLength(body) }),
  });
  if (outcome.kind === 'answer') response.end(body);
  else response.write(body.slice(0, body.length / 2), () => response.socket?.destroy());
}
