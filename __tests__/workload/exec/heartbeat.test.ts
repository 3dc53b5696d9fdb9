import { describe, expect, it } from '@jest/globals';
import { startHeartbeat } from '../../../workload/exec/heartbeat.js';
import type { KubeAnswer } from '../../../workload/kube/kube-client.js';
import { createVirtualClock } from '../../helpers/virtual-clock.js';

const SILENT: KubeAnswer = { ok: false, status: 0, reason: 'Timeout', message: 'no answer' };
const READY: KubeAnswer = { ok: true, status: 200, body: 'ok' };
const NO_ETCD: KubeAnswer = {
  ok: false,
  status: 500,
  reason: 'Http500',
  message: '[+]ping ok\n[-]etcd failed: reason withheld\n[-]etcd-readiness failed\n',
};
const EXPIRED: KubeAnswer = { ok: false, status: 401, reason: 'Unauthorized', message: 'expired' };

/** What the heartbeat makes of these answers, one each 5 s; the last one stays. */
async function after(...answers: readonly KubeAnswer[]) {
  const clock = createVirtualClock();
  const ending = new AbortController();
  let asked = 0;
  const kube = {
    access: { server: 'https://api', credential: { kind: 'none' as const } },
    request: () => Promise.resolve(answers[Math.min(asked++, answers.length - 1)] ?? READY),
  };
  const heartbeat = startHeartbeat(kube, clock, ending.signal);
  await clock.advance(5_000 * answers.length);
  ending.abort(new Error('over'));
  return { failure: heartbeat.lost(), gone: heartbeat.signal.aborted };
}

describe('the heartbeat of a cluster', () => {
  it('hears nothing wrong from an API server that was away or not ready for a moment', async () => {
    const beats = [SILENT, SILENT, READY, NO_ETCD, NO_ETCD, NO_ETCD, NO_ETCD, READY];
    expect(await after(...beats)).toEqual({ failure: undefined, gone: false });
  });

  it.each([
    ['is silent', [SILENT, SILENT, SILENT], 'api-server-unreachable', 'not answered 3 times'],
    [
      'has lost its etcd',
      [NO_ETCD, NO_ETCD, NO_ETCD, NO_ETCD, NO_ETCD],
      'api-server-not-ready',
      'etcd, etcd-readiness failed',
    ],
    ['does not know us any more', [READY, EXPIRED], 'credentials-expired', 'expired'],
  ])('loses one that %s, with the cause', async (_what, answers, code, text) => {
    const { failure, gone } = await after(...answers);
    expect(failure).toMatchObject({ cause: 'infrastructure', code });
    expect(failure?.text).toContain(text);
    expect(gone).toBe(true);
  });
});
