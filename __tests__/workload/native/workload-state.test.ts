import { describe, expect, it } from '@jest/globals';
import { seenDeployment, seenPod, type SeenPod } from '../../../workload/native/seen-objects.js';
import { createPodStartups, startupLatencies } from '../../../workload/native/pod-startup.js';
import { createWorkloadState } from '../../../workload/native/workload-state.js';

const pod = (uid: string, changes: Partial<SeenPod> = {}): SeenPod => ({
  uid,
  scheduled: true,
  running: true,
  ready: true,
  deleting: false,
  stateful: false,
  ...changes,
});

const deployment = (changes: object = {}) => ({
  generation: 2,
  observedGeneration: 2,
  wanted: 2,
  replicas: 2,
  updated: 2,
  ready: 2,
  ...changes,
});

const wanted = { deployments: new Map([['n/d', 2]]), pods: 2 };

describe('the state of a workload', () => {
  it('is as wanted only when all pods run, none is left over, and the new generation is rolled out', () => {
    const state = createWorkloadState();
    const see = (type: 'added' | 'modified' | 'deleted', key: string, object: SeenPod): void => {
      state.seePod({ type, key, object, seenBy: 'watch' });
    };
    see('added', 'n/a', pod('1'));
    see('added', 'n/b', pod('2', { running: false }));
    state.seeDeployment({
      type: 'added',
      key: 'n/d',
      object: deployment({ observedGeneration: 1 }),
      seenBy: 'watch',
    });
    expect(state.missing(wanted)).toEqual([
      '1 of 2 pods run, 1 more do not yet, or are ending',
      'n/d has not been taken up',
    ]);
    see('modified', 'n/b', pod('2'));
    expect(state.isAt(wanted)).toBe(false);
    state.seeDeployment({ type: 'modified', key: 'n/d', object: deployment(), seenBy: 'watch' });
    expect(state.isAt(wanted)).toBe(true);
    see('added', 'n/c', pod('3', { deleting: true }));
    expect(state.isAt(wanted)).toBe(false);
    see('deleted', 'n/c', pod('3'));
    expect(state.isAt(wanted)).toBe(true);
    expect(state.missing(wanted)).toEqual([]);
  });

  it('is empty again when everything is gone', () => {
    const state = createWorkloadState();
    const nothing = { deployments: new Map<string, number>(), pods: 0 };
    state.seeDeployment({ type: 'added', key: 'n/d', object: deployment(), seenBy: 'watch' });
    expect(state.isAt(nothing)).toBe(false);
    state.seeDeployment({ type: 'deleted', key: 'n/d', object: deployment(), seenBy: 'watch' });
    expect(state.isAt(nothing)).toBe(true);
  });

  it('takes a namesake with another uid for another pod', () => {
    const state = createWorkloadState();
    state.seePod({ type: 'added', key: 'n/a', object: pod('old'), seenBy: 'watch' });
    state.seePod({ type: 'modified', key: 'n/a', object: pod('new'), seenBy: 'list' });
    expect([...state.runningPods()]).toEqual(['new']);
    expect(state.hasPod('old')).toBe(false);
  });
});

describe('what is seen of objects', () => {
  it('is nothing at all for objects without a status', () => {
    const metadata = { name: 'x' };
    expect(seenPod({ metadata })).toMatchObject({ running: false, ready: false, scheduled: false });
    expect(seenDeployment({ metadata })).toEqual({
      generation: 0,
      observedGeneration: 0,
      wanted: 0,
      replicas: 0,
      updated: 0,
      ready: 0,
    });
  });
});

describe('pod startup', () => {
  it('is timed by when the watch showed each step, in the phase in which the pod was created', () => {
    const startups = createPodStartups();
    startups.enter('load');
    const steps = [
      { at: 100, object: pod('1', { scheduled: false, running: false }) },
      { at: 140, object: pod('1', { running: false }) },
      { at: 400, object: pod('1') },
      { at: 900, object: pod('1') },
    ];
    for (const [index, { at, object }] of steps.entries()) {
      if (index === 3) startups.enter('burst');
      startups.see(
        { type: index === 0 ? 'added' : 'modified', key: 'n/a', object, seenBy: 'watch' },
        at,
      );
    }
    expect(startups.finished(['burst'])).toEqual([]);
    const [first] = startupLatencies(startups.finished(['load'])).filter(
      ({ metric }) => metric === 'schedule_to_run',
    );
    expect(startups.finished(['load'])).toHaveLength(1);
    expect(first).toEqual({ metric: 'schedule_to_run', perc50: 260, perc90: 260, perc99: 260 });
  });

  it('leaves out pods that a list has found, because nobody knows how long they had been there', () => {
    const startups = createPodStartups();
    const object = pod('1', { running: false });
    startups.see({ type: 'added', key: 'n/a', object, seenBy: 'list' }, 1);
    startups.see({ type: 'modified', key: 'n/a', object: pod('1'), seenBy: 'watch' }, 2);
    expect(startups.finished([''])).toEqual([]);
    expect(startupLatencies([])).toEqual([]);
  });
});
