import { describe, expect, it } from '@jest/globals';
import { createLogSink } from '../../../workload/cl2/log-sink.js';
import { betweenTimesOfDay, readLogLine } from '../../../workload/cl2/log-lines.js';
import { createLogTail } from '../../../workload/cl2/log-tail.js';
import { createRedaction } from '../../../workload/cl2/redact.js';
import { createStepWatch } from '../../../workload/cl2/step-watch.js';
import type { PlannedStep } from '../../../workload/cl2/phase-steps.js';

const HEAD = 'I0515 23:59:59.500000    4711 simple_test_executor.go:162]';

function planned(name: string): PlannedStep {
  return { step: { name, measurements: [] }, phase: 'load', role: 'start' };
}

describe('reading the log of ClusterLoader2', () => {
  it('reads step markers with their time of day', () => {
    expect(readLogLine(`${HEAD} Step "[step: 01] load gate" started`)).toEqual({
      kind: 'step-started',
      step: '[step: 01] load gate',
      at: 86_399_500,
    });
  });

  it('reads the errors of a step', () => {
    const line = `W0515 23:59:59.500000 1 a.go:1] Got errors during step execution: [a b]`;
    expect(readLogLine(line)).toEqual({ kind: 'step-errors', text: '[a b]' });
  });

  it('passes over lines that only quote a marker', () => {
    expect(readLogLine(`${HEAD} somebody said Step "[step: 01] a" started`)).toBeUndefined();
  });

  it('counts over midnight', () => {
    expect(betweenTimesOfDay(86_399_500, 1_000)).toBe(1_500);
  });

  it('knows how far a run is and what its steps came to', async () => {
    const watch = createStepWatch([planned('a'), planned('b')]);
    const reached = watch.reached(1);
    watch.take('I0515 00:00:01.000000 1 a.go:1] Step "[step: 01] a" started');
    watch.take('I0515 00:00:03.500000 1 a.go:1] Step "[step: 01] a" ended');
    watch.take('W0515 00:00:03.500000 1 a.go:1] Got errors during step execution: [no]');
    watch.take('I0515 00:00:03.600000 1 a.go:1] Step "[step: 02] b" started');
    expect(await reached).toBe('reached');
    expect(watch.steps[0]).toMatchObject({ duration: 2_500, errors: ['[no]'] });
    const never = watch.reached(5);
    watch.end();
    expect(await never).toBe('ended');
  });
});

describe('keeping secrets out of the log', () => {
  it.each([
    ['    token: abcdefghijkl', '    token: [redacted]'],
    ['client-key-data: LS0tLS1CRUdJTiBSU0E=', 'client-key-data: [redacted]'],
    ['{"token":"abc","user":"x"}', '{"token":[redacted],"user":"x"}'],
    ['Authorization: Bearer abc.def', 'Authorization: Bearer [redacted]'],
    ['got eyJhbGciOiJ.eyJzdWIiOi.sig here', 'got [redacted] here'],
    ['password=hunter2 rest', 'password=[redacted] rest'],
    ['the secret is s3cr3t-value!', 'the secret is [redacted]!'],
  ])('redacts %j', (line, expected) => {
    expect(createRedaction(['s3cr3t-value'])(line)).toBe(expected);
  });

  it('leaves a PEM block out, over all of its lines', () => {
    const redact = createRedaction([]);
    const lines = [
      'a -----BEGIN RSA PRIVATE KEY-----',
      'MIIE',
      '-----END RSA PRIVATE KEY-----',
      'b',
    ];
    expect(lines.map(redact)).toEqual(['a [redacted]', undefined, undefined, 'b']);
  });

  it('leaves ordinary lines as they are', () => {
    const line = `${HEAD} WaitForControlledPodsRunning: token bucket of 20`;
    expect(createRedaction(['x'])(line)).toBe(line);
  });
});

describe('writing the log', () => {
  it('stays below its cap, and keeps markers and errors beyond it', () => {
    const written: string[] = [];
    const sink = createLogSink({ secrets: [], write: (line) => written.push(line), cap: 100 });
    for (let number = 0; number < 20; number += 1) sink.take(`plain line ${number}`);
    sink.take('E0515 00:00:00.000000 1 a.go:1] bad');
    sink.close();
    expect(written.join('\n').length).toBeLessThan(250);
    expect(written).toContain('E0515 00:00:00.000000 1 a.go:1] bad');
    expect(written.at(-1)).toMatch(/lines were left out/);
  });

  it('leaves out that a gate is still shut', () => {
    const sink = createLogSink({ secrets: [], write: () => undefined });
    const noise =
      'WaitForGenericK8sObjects: objects: "/v1, Resource=services", namespaces: "a-(1-1)": successful=0 failed=0 count=1';
    expect(sink.take(`${HEAD} ${noise}`)).toBeUndefined();
  });

  it('remembers early errors and the end of a long log', () => {
    const tail = createLogTail();
    tail.take('E0515 00:00:00.000000 1 a.go:1] early');
    for (let number = 0; number < 5_000; number += 1) tail.take(`line ${number}`);
    const lines = tail.text().split('\n');
    expect(lines[0]).toMatch(/early/);
    expect(lines.at(-1)).toBe('line 4999');
    expect(lines.length).toBeLessThan(400);
  });
});
