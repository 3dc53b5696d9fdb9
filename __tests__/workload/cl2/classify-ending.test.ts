import { describe, expect, it } from '@jest/globals';
import { classifyEnding } from '../../../workload/cl2/classify-ending.js';
import { podEvicted } from '../../../workload/cl2/executors/errors.js';
import { failureOf } from '../../../workload/cl2/outcome-failure.js';
import type { Cl2Evidence, Cl2Report } from '../../../workload/cl2/outcome.js';

const EXPECTED = { cases: ['t: [step: 01] a', 't: [step: 02] b'], files: ['Timer_t'] };
const FILES = ['junit.xml', 'Timer_t_2026-05-15T02:00:00Z.json'];
const STEP = 't: [step: 02] b';
const OVERALL = 't overall (config.yaml)';

function report(
  failing: readonly { step: string; text: string }[] = [],
  cases = 3,
  files: readonly string[] = FILES,
): Cl2Report {
  return { junit: { state: 'read', cases, failing }, files };
}

const NO_REPORT: Cl2Report = { junit: { state: 'missing' }, files: [] };

function ending(change: Partial<Cl2Evidence>) {
  return classifyEnding({
    end: { state: 'exited', code: 0 },
    report: report(),
    expected: EXPECTED,
    log: '',
    ...change,
  });
}

const exit = (code: number) => ({ end: { state: 'exited', code } as const });
const signal = (name: string) => ({ end: { state: 'signalled', signal: name } as const });
const fatal = (text: string): string => `F0515 02:00:00.000000       1 clusterloader.go:1] ${text}`;

describe('reading how ClusterLoader2 ended', () => {
  it('takes exit 0 with every case and file for passed', () => {
    expect(ending({})).toEqual({ kind: 'passed' });
  });

  it('takes what an executor lost for infrastructure, with the remedy', () => {
    const error = podEvicted('mesh-001', 'The node was low on resource: memory.');
    const outcome = ending({ end: { state: 'lost', error, retryable: true }, report: NO_REPORT });
    expect(outcome).toMatchObject({
      kind: 'infrastructure',
      class: 'pod-evicted',
      retryable: true,
      text: expect.stringContaining('low on resource'),
      next: error.next,
    });
  });

  it('names the thresholds of a violation, once', () => {
    const text = 'X: [Perc99: sample above threshold: want: less or equal than 1, got: 3.5]';
    const failing = [
      { step: OVERALL, text },
      { step: STEP, text },
    ];
    const outcome = ending({ ...exit(1), report: report(failing) });
    expect(outcome).toEqual({ kind: 'violated', thresholds: [text] });
    expect(failureOf(outcome)).toBeUndefined();
  });

  it('names the steps that failed for another reason', () => {
    const failing = [
      { step: OVERALL, text: 'timed out' },
      { step: STEP, text: 'timed out' },
    ];
    const outcome = ending({ ...exit(1), report: report(failing) });
    expect(outcome).toEqual({
      kind: 'workload-failed',
      steps: [{ step: STEP, text: 'timed out' }],
    });
    expect(failureOf(outcome)).toMatchObject({ cause: 'workload-failed', code: 'steps-failed' });
  });

  it('tells a failed overall case by itself when every step passed', () => {
    const failing = [{ step: OVERALL, text: 'file name too long' }];
    expect(ending({ ...exit(1), report: report(failing) })).toEqual({
      kind: 'workload-failed',
      steps: failing,
    });
  });

  it('takes a report with the overall case alone for a failure before the first step', () => {
    const failing = [{ step: OVERALL, text: 'pre-existing automanaged namespaces found' }];
    expect(ending({ ...exit(1), report: report(failing, 1) })).toMatchObject({
      kind: 'infrastructure',
      class: 'namespaces-taken',
      retryable: false,
    });
  });

  it('finds a passing run that did not write an expected file', () => {
    const outcome = ending({ report: report([], 3, ['junit.xml']) });
    expect(outcome).toEqual({ kind: 'silent-loss', files: ['Timer_t'] });
    expect(failureOf(outcome)).toMatchObject({ code: 'silent-loss' });
  });

  it('finds a run that ended with 0 and left nothing', () => {
    expect(ending({ report: NO_REPORT })).toEqual({
      kind: 'silent-loss',
      files: ['junit.xml', 'Timer_t'],
    });
  });

  it('finds a report without all of its steps', () => {
    expect(ending({ report: report([], 2) })).toEqual({
      kind: 'half-report',
      text: 'junit.xml has 1 of 2 steps',
    });
  });

  it('blames the step that failed when the steps after a critical error are absent', () => {
    const failing = [{ step: 't: [step: 01] a', text: 'critical' }];
    expect(ending({ ...exit(1), report: report(failing, 2) })).toMatchObject({
      kind: 'workload-failed',
    });
  });

  it('finds a report that is cut off', () => {
    const junit = { state: 'malformed', reason: 'cut off' } as const;
    expect(ending({ report: { junit, files: FILES } })).toMatchObject({ kind: 'half-report' });
  });

  it('finds exit 1 that no case explains', () => {
    expect(ending(exit(1))).toMatchObject({ kind: 'half-report' });
  });

  it.each([
    ['SIGKILL', signal('SIGKILL')],
    ['SIGKILL', exit(137)],
    ['SIGTERM', exit(143)],
    ['SIGTERM', exit(2)],
  ] as const)('tells %s from its trace in %j, and where it was', (by, end) => {
    const log = 'I0515 02:00:00.000000 1 a.go:1] Step "[step: 01] a" started';
    expect(ending({ ...end, report: NO_REPORT, log })).toEqual({
      kind: 'killed',
      by,
      text: `ended by ${by} in [step: 01] a`,
    });
  });

  it('tells a panic from the death of process 1, which have the same code', () => {
    const log = 'panic: index out of range\n\ngoroutine 1 [running]:';
    expect(ending({ ...exit(2), report: NO_REPORT, log })).toMatchObject({
      kind: 'killed',
      by: 'panic',
    });
  });

  it('says when it was killed while it cleaned up: its summaries are there', () => {
    const files = FILES.slice(1);
    const outcome = ending({
      ...signal('SIGKILL'),
      report: { junit: { state: 'missing' }, files },
    });
    expect(outcome).toMatchObject({ text: 'ended by SIGKILL while it cleaned up' });
  });

  it.each([
    'Test compilation failed: [c.yaml: Invalid value: tuning set referenced has not been declared]',
    "merge conflict for key 'CL2_X': old value=14 (float64), new value=14 (int64)",
    'Flag parse failed: unknown flag: --nope',
  ])('takes %j for a config that was refused', (text) => {
    const outcome = ending({ ...exit(1), report: NO_REPORT, log: fatal(text) });
    expect(outcome).toEqual({ kind: 'config-refused', text });
    expect(failureOf(outcome)).toMatchObject({ code: 'config-refused' });
  });

  it('tries a Prometheus that did not come up once more', () => {
    const log = fatal(
      'Error while setting up prometheus stack: timed out waiting for the condition',
    );
    expect(ending({ ...exit(1), report: NO_REPORT, log })).toMatchObject({
      kind: 'infrastructure',
      class: 'prom-setup',
      retryable: true,
    });
  });

  it('never retries an ending that nobody knows', () => {
    const log = fatal('something new');
    expect(ending({ ...exit(1), report: NO_REPORT, log })).toMatchObject({
      class: 'unknown-setup-failure',
      retryable: false,
      text: 'something new',
    });
  });

  it('says whose stop it was before anything else', () => {
    expect(ending({ ...exit(143), stoppedFor: 'interruption' })).toEqual({ kind: 'interrupted' });
    expect(ending({ ...exit(143), stoppedFor: 'budget', report: NO_REPORT })).toMatchObject({
      kind: 'timed-out',
    });
  });
});
