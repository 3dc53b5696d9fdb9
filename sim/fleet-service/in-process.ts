import type { HttpRequest, SendHttp } from '../../fleet/ports.js';
import type { FleetClock } from '../../fleet/ports.js';
import type { FleetService } from './service.js';

/** Where a service without a socket is. */
export const IN_PROCESS_ORIGIN = 'https://fleet.invalid';

/** Sends requests to a service in the same process: the same code without sockets, in virtual time. */
export function sendInProcess(service: FleetService, clock: FleetClock): SendHttp {
  return async (request) => {
    request.signal?.throwIfAborted();
    const outcome = await service.handle({
      method: request.method,
      path: request.url.slice(IN_PROCESS_ORIGIN.length),
      headers: lowerCase(request),
      body: request.body ?? '',
      origin: IN_PROCESS_ORIGIN,
    });
    request.signal?.throwIfAborted();
    switch (outcome.kind) {
      case 'answer':
        return outcome.answer;
      case 'hang':
        await clock.sleep(GIVES_UP_AFTER, request.signal);
        throw new Error('no answer within 60 s');
      case 'reset':
        throw new Error('read ECONNRESET');
      case 'truncate':
        throw new Error('aborted in the middle of an answer');
    }
  };
}

/** The time that the real sender gives one request. */
const GIVES_UP_AFTER = 60_000;

function lowerCase({ headers }: HttpRequest): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return Object.fromEntries(entries) as Record<string, string>;
}
