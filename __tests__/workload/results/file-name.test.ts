import { describe, expect, it } from '@jest/globals';
import { parseSummaryName } from '../../../workload/results/file-name.js';

const T = '2026-05-15T03:00:00Z';

describe('the name of a summary file', () => {
  it.each([
    [
      'GenericPrometheusQuery ClusterMesh Etcd MVCC Keys_my-test',
      'ClusterMesh Etcd MVCC Keys',
      'my-test',
    ],
    ['GenericPrometheusQuery_EtcdMvccKeys_my-test', 'EtcdMvccKeys', 'my-test'],
    ['APIResponsivenessPrometheus_my_test', 'APIResponsivenessPrometheus', 'my_test'],
    ['PodStartupLatency_PodStartupLatency_my_test', 'PodStartupLatency', 'my_test'],
    ['StatefulPodStartupLatency_PodStartupLatency_t', 'StatefulPodStartupLatency', 't'],
    ['StatefulPodStartupLatency_p_t', 'StatefulPodStartupLatency_p', 't'],
    ['x_PrometheusSchedulingMetrics_t', 'x_PrometheusSchedulingMetrics', 't'],
  ])('%s gives measurement and test', (front, measurement, group) => {
    expect(parseSummaryName(`${front}_${T}.json`)).toEqual({ measurement, group, stamp: T });
  });

  it('is cut at a test name that is known, also with a scenario id behind it', () => {
    const name = `GenericPrometheusQuery Odd_Name_my_test_s1_${T}.json`;
    expect(parseSummaryName(name, ['my_test'])).toMatchObject({
      measurement: 'Odd_Name',
      group: 'my_test',
    });
  });

  it('gives its time in UTC, whatever the zone and the separators', () => {
    expect(parseSummaryName('Timer_t_2026-05-15T05-00-00+02-00.json')?.stamp).toBe(T);
  });

  it.each(['junit.xml', 'Timer.json', 'Timer_t_2026-13-45T00:00:00Z.json', `_${T}.json`])(
    'fails on %s',
    (name) => {
      expect(parseSummaryName(name)).toBeUndefined();
    },
  );
});
