import { Agent, request } from 'undici';
import type { ReadinessProbe } from './component.js';

/** A component that does not answer within this is not ready; loopback answers in milliseconds. */
const ANSWER_TIMEOUT_MS = 2_000;

/** Whether the probe's address answers 200 now. Every trouble means no: the caller asks again. */
export async function isReady(probe: ReadinessProbe, signal: AbortSignal): Promise<boolean> {
  const agent = new Agent({
    connect: {
      timeout: ANSWER_TIMEOUT_MS,
      ...(probe.tls === undefined
        ? {}
        : { ca: probe.tls.caPem, cert: probe.tls.certPem, key: probe.tls.keyPem }),
    },
  });
  try {
    const answer = await request(probe.url, {
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
  } finally {
    await agent.destroy();
  }
}
