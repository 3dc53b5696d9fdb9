import { request as plainRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent, request as tlsRequest } from 'node:https';
import { rootCertificates } from 'node:tls';
import type { HttpAnswer, HttpRequest, SendHttp } from '../ports.js';
import { tunnel, type Proxy } from './proxy.js';

/** Settings of the sender. */
export interface NodeHttpOptions {
  /** A further CA to trust, PEM. @default - those of Node alone */
  readonly caPem?: string | undefined;
  /** How long one request may take, in milliseconds. @default 60000 @see fleet-api.md §10.3 */
  readonly timeoutMs?: number;
  /** For https; http is for services of this machine alone. @default - none */
  readonly proxy?: Proxy | undefined;
}

/** A sender with connections that are kept, and how to close these. */
export interface NodeHttp {
  readonly send: SendHttp;
  readonly close: () => void;
}

/** HTTP by Node alone. Addresses are sent as they are given: those of ARM's operations are signed. */
export function createNodeHttp(options: NodeHttpOptions = {}): NodeHttp {
  const { caPem, timeoutMs = LONGEST_REQUEST, proxy } = options;
  const trust = caPem === undefined ? {} : { ca: [...rootCertificates, caPem] };
  const agent = new Agent({ keepAlive: true, ...trust });
  const connect: Connect = async (target) => {
    if (proxy === undefined || proxy.spares(target.host ?? '')) return { agent };
    const socket = await tunnel(proxy, { ...target, ...trust });
    // No agent: with one, the request would not take this connection.
    return { createConnection: () => socket };
  };
  return {
    send: async (request) => {
      const ours = AbortSignal.timeout(timeoutMs);
      const signals = request.signal === undefined ? [ours] : [ours, request.signal];
      return await exchange(request, connect, AbortSignal.any(signals));
    },
    close: () => {
      agent.destroy();
    },
  };
}

const LONGEST_REQUEST = 60_000;

/** How to get to a target by TLS. */
type Connect = (target: RequestOptions) => Promise<RequestOptions>;

async function exchange(
  request: HttpRequest,
  connect: Connect,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const target = targetOf(request.url);
  if (target === undefined) throw new Error('not an http address');
  const { secure, ...place } = target;
  const body = request.method === 'GET' ? undefined : (request.body ?? '');
  const settings: RequestOptions = {
    ...place,
    method: request.method,
    headers: {
      ...request.headers,
      ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
    },
    signal,
  };
  const way = secure ? await connect({ ...place, signal }) : {};
  return await new Promise((resolve, reject) => {
    const onAnswer = (answer: IncomingMessage): void => {
      readAnswer(answer).then(resolve, reject);
    };
    const send = secure ? tlsRequest : plainRequest;
    const sent = send({ ...settings, ...way }, onAnswer);
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
