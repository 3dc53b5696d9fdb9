import { request as plainRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent, request as tlsRequest } from 'node:https';
import { rootCertificates } from 'node:tls';
import type { HttpAnswer, HttpRequest, SendHttp } from '../ports.js';

/** Settings of the sender. */
export interface NodeHttpOptions {
  /** A further CA to trust, PEM. @default - those of Node alone */
  readonly caPem?: string | undefined;
  /** How long one request may take, in milliseconds. @default 60000 @see fleet-api.md §10.3 */
  readonly timeoutMs?: number;
}

/** A sender with connections that are kept, and how to close these. */
export interface NodeHttp {
  readonly send: SendHttp;
  readonly close: () => void;
}

/** HTTP by Node alone. Addresses are sent as they are given: those of ARM's operations are signed. */
export function createNodeHttp(options: NodeHttpOptions = {}): NodeHttp {
  const { caPem, timeoutMs = LONGEST_REQUEST } = options;
  const agent = new Agent({
    keepAlive: true,
    ...(caPem === undefined ? {} : { ca: [...rootCertificates, caPem] }),
  });
  return {
    send: async (request) => {
      const ours = AbortSignal.timeout(timeoutMs);
      const signals = request.signal === undefined ? [ours] : [ours, request.signal];
      return await exchange(request, agent, AbortSignal.any(signals));
    },
    close: () => {
      agent.destroy();
    },
  };
}

const LONGEST_REQUEST = 60_000;

function exchange(request: HttpRequest, agent: Agent, signal: AbortSignal): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const target = targetOf(request.url);
    if (target === undefined) {
      reject(new Error('not an http address'));
      return;
    }
    const { secure, ...place } = target;
    const settings: RequestOptions = {
      ...place,
      method: request.method,
      headers: {
        ...request.headers,
        ...(request.method === 'GET'
          ? {}
          : { 'content-length': Buffer.byteLength(request.body ?? '') }),
      },
      signal,
    };
    const onAnswer = (answer: IncomingMessage): void => {
      readAnswer(answer).then(resolve, reject);
    };
    const sent = secure
      ? tlsRequest({ ...settings, agent }, onAnswer)
      : plainRequest(settings, onAnswer);
    sent.on('error', reject); // more than one may come: an abort after a reset
    sent.end(request.body);
  });
}

/** Host, port and path, without any decoding. */
function targetOf(url: string) {
  const match = /^(https?):\/\/(\[[^\]]+\]|[^/:?#]+)(?::(\d+))?(\/[^#]*)?$/.exec(url);
  const [, scheme, host, port, path] = match ?? [];
  if (scheme === undefined || host === undefined) return undefined;
  const secure = scheme === 'https';
  return {
    secure,
    host: host.replace(/^\[|\]$/g, ''),
    port: port === undefined ? (secure ? 443 : 80) : Number(port),
    path: path ?? '/',
  };
}

async function readAnswer(answer: IncomingMessage): Promise<HttpAnswer> {
  const parts: Buffer[] = [];
  for await (const part of answer) parts.push(Buffer.from(part as Uint8Array));
  const headers = Object.entries(answer.headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ]);
  return {
    status: answer.statusCode ?? 0,
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: Buffer.concat(parts).toString('utf8'),
  };
}
