import { Agent, request } from 'undici';
import type { ReadinessProbe } from './component.js';

/** A component that does not answer within this is not ready; loopback answers in milliseconds. */
const ANSWER_TIMEOUT_MS = 2_000;

/** Asks one component, again and again over one connection. */
export interface ReadinessAsker {
  /** Whether the probe's address answers 200 now. Every trouble means no: the caller asks again. */
  readonly isReady: (signal: AbortSignal) => Promise<boolean>;
}

/**
 * Runs `use` with somebody who asks the probe's address. One connection for all questions: a TLS
 * handshake each time cost both sides more than the answer.
 */
export async function askingReadiness<T>(
  probe: ReadinessProbe,
  use: (asker: ReadinessAsker) => Promise<T>,
): Promise<T> {
  const agent = openAgent(probe);
  try {
    return await use({ isReady: (signal) => answersWell(probe.url, agent, signal) });
  } finally {
    await agent.destroy();
  }
}

function openAgent({ tls }: ReadinessProbe): Agent {
  return new Agent({
    connections: 1,
    connect: {
      timeout: ANSWER_TIMEOUT_MS,
      ...(tls === undefined ? {} : { ca: tls.caPem, cert: tls.certPem, key: tls.keyPem }),
    },
  });
}

async function answersWell(url: string, agent: Agent, signal: AbortSignal): Promise<boolean> {
  try {
    const answer = await request(url, {
      dispatcher: agent,
      signal,
      headersTimeout: ANSWER_TIMEOUT_MS,
      bodyTimeout: ANSWER_TIMEOUT_MS,
    });
    await answer.body.dump();
    return answer.statusCode === 200;
  } catch {
    signal.throwIfAborted();
    return false;
  }
}
