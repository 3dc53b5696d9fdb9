import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createLogPosition } from '../../../../workload/cl2/executors/log-position.js';

/** A log, and what a keeper gives from a whole second on. */
interface Line {
  readonly second: number;
  readonly nanos: number;
}

function textOf({ second, nanos }: Line, index: number): string {
  const time = `02:00:${String(second).padStart(2, '0')}.${String(nanos).padStart(9, '0')}`;
  return `2026-05-15T${time}Z line ${index}`;
}

function linesSince(lines: readonly Line[], since: string | undefined): readonly string[] {
  const second = since === undefined ? 0 : Number(since.slice(17, 19));
  return lines.map(textOf).filter((_, index) => (lines[index]?.second ?? 0) >= second);
}

const log = fc.array(
  fc.record({ second: fc.integer({ min: 0, max: 5 }), nanos: fc.integer({ min: 0, max: 3 }) }),
  { maxLength: 40 },
);

describe('the position in a log', () => {
  it('gives each line once and in order, wherever the stream breaks and however equal the times', () => {
    fc.assert(
      fc.property(log, fc.array(fc.integer({ min: 0, max: 40 })), (unsorted, breaks) => {
        const lines = [...unsorted].sort((a, b) => a.second - b.second || a.nanos - b.nanos);
        const position = createLogPosition();
        const given: string[] = [];
        const read = (count: number): void => {
          position.reopened();
          for (const line of linesSince(lines, position.since()).slice(0, count)) {
            const text = position.take(line);
            if (text !== undefined) given.push(text);
          }
        };
        for (const count of breaks) read(count);
        read(lines.length);
        expect(given).toEqual(lines.map((_, index) => `line ${index}`));
      }),
    );
  });

  it('gives what comes after a clock that went back', () => {
    const position = createLogPosition();
    expect(position.take('2026-05-15T02:00:05.1Z a')).toBe('a');
    expect(position.take('2026-05-15T02:00:03.1Z b')).toBe('b');
    expect(position.since()).toBe('2026-05-15T02:00:03Z');
    position.reopened();
    expect(position.take('2026-05-15T02:00:05.1Z a')).toBeUndefined();
    expect(position.take('2026-05-15T02:00:03.1Z b')).toBeUndefined();
    expect(position.take('2026-05-15T02:00:04.1Z c')).toBe('c');
  });

  it('takes nothing for repeated that a rotation has taken away', () => {
    const position = createLogPosition();
    position.take('2026-05-15T02:00:05.1Z a');
    position.reopened();
    expect(position.take('2026-05-15T02:00:05.2Z b')).toBe('b');
  });

  it('keeps empty lines, and gives lines without a time as they are', () => {
    const position = createLogPosition();
    expect(position.take('2026-05-15T02:00:05.123456789+02:00 ')).toBe('');
    expect(position.take('unable to retrieve container logs')).toBe(
      'unable to retrieve container logs',
    );
    expect(position.since()).toBe('2026-05-15T02:00:05+02:00');
  });
});
