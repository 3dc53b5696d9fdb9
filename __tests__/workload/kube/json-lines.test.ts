import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createLineSplitter } from '../../../workload/kube/json-lines.js';

function linesOf(chunks: readonly Uint8Array[]): string[] {
  const lines: string[] = [];
  const splitter = createLineSplitter((line) => lines.push(line));
  for (const chunk of chunks) splitter.push(chunk);
  return lines;
}

describe('createLineSplitter', () => {
  it('gives the same lines however the bytes are cut, also within a character', () => {
    const object = fc.dictionary(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(fc.array(object), fc.array(fc.nat()), (objects, places) => {
        const expected = objects.map((value) => JSON.stringify(value));
        const bytes = Buffer.from(expected.map((line) => `${line}\n`).join(''));
        const cuts = places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b);
        const chunks = [0, ...cuts].map((start, index) =>
          bytes.subarray(start, cuts[index] ?? bytes.length),
        );
        expect(linesOf(chunks)).toEqual(expected);
      }),
    );
  });

  it('keeps back what no newline has ended', () => {
    expect(linesOf([Buffer.from('{"a":1}\n{"b"')])).toEqual(['{"a":1}']);
  });

  it('leaves out empty lines', () => {
    expect(linesOf([Buffer.from('\n\na\n\n')])).toEqual(['a']);
  });

  it('gives a line within the very push that ends it', () => {
    const lines: string[] = [];
    const splitter = createLineSplitter((line) => lines.push(line));
    splitter.push(Buffer.from('abc'));
    expect(lines).toEqual([]);
    splitter.push(Buffer.from('\n'));
    expect(lines).toEqual(['abc']);
  });
});
