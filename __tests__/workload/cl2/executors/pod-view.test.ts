import { describe, expect, it } from '@jest/globals';
import { viewPod } from '../../../../workload/cl2/executors/pod-view.js';

function pod(status: object, spec: object = { nodeName: 'n' }, creationTimestamp = '') {
  return { metadata: { name: 'p', creationTimestamp }, spec, status };
}

function view(status: object, spec?: object) {
  return viewPod({ items: [pod(status, spec)] });
}

function containers(engine: object, results: object = { running: {} }) {
  return {
    phase: 'Running',
    containerStatuses: [
      { name: 'clusterloader2', state: engine },
      { name: 'results', state: results },
    ],
  };
}

const waiting = (reason: string, message = '') => ({ waiting: { reason, message } });

describe('the view of a pod of a Job', () => {
  it('is absent without a pod, and of the newest one when there are several', () => {
    expect(viewPod({ items: [] })).toEqual({ state: 'absent' });
    const old = pod(containers({ running: {} }), {}, '2026-05-15T02:00:00Z');
    const recent = pod({}, {}, '2026-05-15T02:00:01Z');
    expect(viewPod({ items: [old, recent] })).toMatchObject({
      state: 'waiting',
      for: 'scheduling',
    });
  });

  it('waits for a node with what the scheduler says', () => {
    const conditions = [
      { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/3 nodes' },
    ];
    expect(view({ conditions }, {})).toEqual({
      state: 'waiting',
      for: 'scheduling',
      text: 'Unschedulable: 0/3 nodes',
      final: false,
    });
  });

  it.each([
    ['ImagePullBackOff', 'pulling', false],
    ['ErrImagePull', 'pulling', false],
    ['InvalidImageName', 'pulling', true],
    ['ContainerCreating', 'starting', false],
    ['CreateContainerConfigError', 'starting', false],
  ])('tells the reason %s as %s', (reason, why, final) => {
    const status = containers(waiting(reason, 'm'), waiting('ContainerCreating'));
    expect(view(status)).toMatchObject({ state: 'waiting', for: why, final });
  });

  it('waits for the image of the second container as well', () => {
    const status = containers(waiting('ContainerCreating'), waiting('ErrImagePull', 'nowhere'));
    expect(view(status)).toMatchObject({ for: 'pulling', text: 'ErrImagePull: nowhere' });
  });

  it('runs while ClusterLoader2 runs, and has ended with its exit code alone', () => {
    expect(view(containers({ running: {} }))).toEqual({ state: 'running', pod: 'p' });
    const ended = { terminated: { exitCode: 1, reason: 'Error' } };
    expect(view(containers(ended))).toEqual({
      ...{ state: 'ended', pod: 'p', code: 1, outOfMemory: false },
    });
    const killed = { terminated: { exitCode: 137, reason: 'OOMKilled' } };
    expect(view(containers(killed))).toMatchObject({ outOfMemory: true });
  });

  it('does not take a program that never began for one that ended', () => {
    const terminated = { exitCode: 128, reason: 'StartError', message: 'no such file' };
    expect(view(containers({ terminated }))).toMatchObject({
      ...{ state: 'waiting', for: 'starting', final: true },
    });
  });

  it('says that the results have no keeper, before the load is over', () => {
    const terminated = { exitCode: 127, reason: 'Error', message: 'sh: not found' };
    expect(view(containers({ running: {} }, { terminated }))).toEqual({
      state: 'no-helper',
      text: 'ended with 127: Error: sh: not found',
    });
    expect(view(containers({ running: {} }, waiting('RunContainerError', 'no sh')))).toEqual({
      state: 'no-helper',
      text: 'RunContainerError: no sh',
    });
  });

  it('is evicted whatever its containers say', () => {
    const status = {
      ...containers({ terminated: { exitCode: 137, reason: 'Error' } }),
      phase: 'Failed',
      reason: 'Evicted',
      message: 'low on memory',
    };
    expect(view(status)).toEqual({ state: 'evicted', text: 'Evicted: low on memory' });
    const conditions = [
      { type: 'DisruptionTarget', status: 'True', reason: 'PreemptionByScheduler', message: 'm' },
    ];
    expect(view({ ...containers({ running: {} }), conditions })).toEqual({
      state: 'evicted',
      text: 'PreemptionByScheduler: m',
    });
  });
});
