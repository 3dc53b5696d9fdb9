import { describe, expect, it } from '@jest/globals';
import {
  isOfOneKind,
  nothingStarted,
  plannedName,
} from '../../../workload/results/pod-startup-files.js';

describe('the three startup files of ClusterLoader2', () => {
  it('belong to one planned measurement', () => {
    expect(plannedName('StatefulPodStartupLatency')).toBe('PodStartupLatency');
    expect(plannedName('StatelessPodStartupLatency_rung-2')).toBe('PodStartupLatency_rung-2');
    expect(plannedName('ClusterMesh Etcd MVCC Keys')).toBe('ClusterMesh Etcd MVCC Keys');
  });

  it('are of one kind of pods, except for the one that is of all', () => {
    expect(isOfOneKind('StatelessPodStartupLatency')).toBe(true);
    expect(isOfOneKind('PodStartupLatency')).toBe(false);
  });

  it.each([
    ['no items', [], true],
    ['zeros alone', [{ Perc50: 0, Perc99: 0 }], true],
    ['a zero beside a time', [{ Perc50: 0, Perc99: 3 }], false],
  ])('measured nothing with %s', (_, values, expected) => {
    expect(nothingStarted(reading('StatefulPodStartupLatency', values))).toBe(expected);
  });

  it('leave zeros of other measurements alone', () => {
    expect(nothingStarted(reading('ClusterMesh Event Backlog', [{ Max: 0 }]))).toBe(false);
  });
});

function reading(measurement: string, values: readonly Record<string, number>[]) {
  const items = values.map((data) => ({ data, unit: 'ms' }));
  return {
    name: `${measurement}.json`,
    summary: { measurement, group: 't', stamp: '' },
    content: { kind: 'items', items, repaired: [] },
  } as const;
}
