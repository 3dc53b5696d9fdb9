import type { Readable } from 'node:stream';

/** The head of an answer and its body, still to be read. */
export interface HttpAnswer {
  readonly status: number;
  readonly body: Readable;
}

/**
 * Fetches an address with GET and follows redirects. Rejects when no answer comes; a body that ends
 * before its announced length fails while it is read.
 */
export type HttpGet = (url: string, signal?: AbortSignal) => Promise<HttpAnswer>;

/** The network, through the proxy of HTTP_PROXY, HTTPS_PROXY and NO_PROXY where they are set. */
export const systemHttpGet: HttpGet = async (url, signal) => {
  const { EnvHttpProxyAgent, interceptors, request } = await import('undici');
  const dispatcher = new EnvHttpProxyAgent().compose(
    interceptors.redirect({ maxRedirections: MOST_REDIRECTS }),
  );
  const answer = await request(url, {
    dispatcher,
    headersTimeout: SILENCE,
    bodyTimeout: SILENCE,
    ...(signal === undefined ? {} : { signal }),
  });
  return { status: answer.statusCode, body: answer.body };
};

/** GitHub needs one; chosen. */
const MOST_REDIRECTS = 5;
/** Milliseconds without a single byte before a connection counts as dead; chosen. */
const SILENCE = 30_000;
