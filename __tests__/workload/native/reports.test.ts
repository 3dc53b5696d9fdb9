import { describe, expect, it } from '@jest/globals';
import type { Writes } from '../../../workload/native/actions.js';
import { writeReport } from '../../../workload/native/reports.js';

const refused = (...refusals: readonly string[]): Writes => ({
  rate: { asked: 1, achieved: 0.5, accepted: 1, refused: refusals.length },
  ...{ duration: 10, refusals, taken: false, generations: new Map() },
});

describe('a series of writes that failed', () => {
  it.each([
    [['no answer Timeout: late'], 'infrastructure', 'api-server-unreachable'],
    [
      ['500 InternalError: etcd', 'no answer Timeout: late'],
      'infrastructure',
      'api-server-not-ready',
    ],
    [['503 Unavailable: etcd'], 'infrastructure', 'api-server-not-ready'],
    [['403 Forbidden: quota', '503 Unavailable: etcd'], 'workload-failed', 'writes-refused'],
    [['422 Invalid: replicas'], 'workload-failed', 'writes-refused'],
  ] as const)('by %j is to blame on %s', (refusals, cause, code) => {
    const { failure, steps, stimulus } = writeReport('load: create', refused(...refusals));
    expect(failure).toMatchObject({ cause, code });
    expect(failure?.text).toContain(refusals[0]);
    expect(steps[0]?.failures).toEqual([failure?.text]);
    expect(stimulus).toEqual({ asked: 1, achieved: 0.5, unit: 'deployments/s' });
  });

  it('is none when everything was taken', () => {
    expect(writeReport('load: create', refused()).failure).toBeUndefined();
  });
});
