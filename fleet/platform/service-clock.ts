import { readFile } from 'node:fs/promises';
import { numberAt, parseJson } from '../json.js';
import type { Environment, FleetClock } from '../ports.js';
import { createNodeHttp } from './node-http.js';

/**
 * For tests with the fleet service of `sim/`: its time instead of the machine's, so that a handler waits
 * 16 minutes in milliseconds. Only with `MESHSCALE_FLEET_CLOCK=service` and an endpoint on loopback;
 * undefined otherwise. Each sleep is a request that the service answers when its time has come.
 */
export async function serviceClock(env: Environment): Promise<FleetClock | undefined> {
  const endpoint = env['MESHSCALE_ARM_ENDPOINT'] ?? '';
  if (env['MESHSCALE_FLEET_CLOCK'] !== 'service' || !LOOPBACK.test(endpoint)) return undefined;
  const ca = env['MESHSCALE_ARM_CA'];
  const caPem = ca === undefined ? undefined : await readFile(ca, 'utf8');
  const { send } = createNodeHttp({ caPem, timeoutMs: NEVER });
  const url = `${endpoint.replace(/\/$/, '')}/_control/sleep`;
  let now = 0;
  const sleep: FleetClock['sleep'] = async (duration, signal) => {
    signal?.throwIfAborted();
    const body = JSON.stringify({ ms: duration });
    const headers = { 'content-type': 'application/json' };
    const answer = await send({ method: 'POST', url, headers, body, signal });
    now = Math.max(now, numberAt(parseJson(answer.body), 'now') ?? now);
  };
  await sleep(0);
  return { now: () => now, monoNs: () => BigInt(Math.round(now * 1e6)), sleep };
}

const LOOPBACK = /^https:\/\/(127\.0\.0\.1|\[::1\]|localhost)(:\d+)?\/?$/;
/** A sleep may last as long as the test that plays with time. */
const NEVER = 2 ** 31 - 1;
