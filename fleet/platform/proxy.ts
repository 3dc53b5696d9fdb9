import { request as plainRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { isIP } from 'node:net';
import { connect as tlsConnect, type TLSSocket } from 'node:tls';
import { badEndpoint } from '../arm/errors.js';
import type { Environment } from '../ports.js';

/** Where connections to Azure have to go through. */
export interface Proxy {
  /** `http://user:password@proxy:3128` */
  readonly url: string;
  /** Whether a host is reached without it. */
  readonly spares: (host: string) => boolean;
}

/** The proxy that `HTTPS_PROXY` and `NO_PROXY` name, in either spelling; throws azure/bad-endpoint. */
export function proxyOf(env: Environment): Proxy | undefined {
  const url = env['https_proxy'] ?? env['HTTPS_PROXY'];
  if (url === undefined || url === '') return undefined;
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw badEndpoint('HTTPS_PROXY', 'not shown, it may hold a password', 'http://proxy:3128');
  }
  const spared = (env['no_proxy'] ?? env['NO_PROXY'] ?? '').split(/[\s,]+/).filter(Boolean);
  return { url, spares: (host) => spared.some((one) => isIn(host, one)) };
}

/** Opens a tunnel through the proxy and TLS to the target inside of it: the proxy sees its name only. */
export function tunnel(
  proxy: Proxy,
  target: RequestOptions & { readonly ca?: string[] },
): Promise<TLSSocket> {
  const { protocol, hostname, port, username, password } = new URL(proxy.url);
  const login = [username, password].map(decodeURIComponent).join(':');
  const ask = protocol === 'https:' ? tlsRequest : plainRequest;
  const { host, ca, signal } = target;
  const path = `${host ?? ''}:${target.port ?? ''}`;
  return new Promise((resolve, reject) => {
    const refuse = ({ statusCode }: IncomingMessage): void => {
      reject(new Error(`the proxy ${hostname} answers ${statusCode ?? 0}`));
    };
    ask({
      host: hostname.replace(/^\[|\]$/g, ''),
      port,
      method: 'CONNECT',
      path,
      agent: false,
      headers: { host: path, ...(username === '' ? {} : { 'proxy-authorization': basic(login) }) },
      signal,
    })
      .on('connect', (answer, socket) => {
        if (answer.statusCode === 200) {
          // A server cannot be asked for by its address.
          const name = isIP(host ?? '') === 0 ? { servername: host ?? '' } : {};
          resolve(tlsConnect({ socket, host: host ?? '', ...name, ...(ca && { ca }) }));
          return;
        }
        socket.destroy();
        refuse(answer);
      })
      .on('response', refuse)
      .on('error', reject)
      .end();
  });
}

function basic(login: string): string {
  return `Basic ${Buffer.from(login).toString('base64')}`;
}

/** `*`, a host, or a domain with or without a leading dot; ports are not looked at. */
function isIn(host: string, one: string): boolean {
  const domain = one.replace(/^\*?\.|:\d+$/g, '').toLowerCase();
  return one === '*' || host.toLowerCase() === domain || host.toLowerCase().endsWith(`.${domain}`);
}
