import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { durationCodec, fileDuration } from '../../model/duration-codec.js';

describe('durations in files', () => {
  it('are milliseconds in memory, whatever their unit', () => {
    expect(['500ms', '90s', '10m', '2h', '1.5s'].map((text) => durationCodec.parse(text))).toEqual([
      500, 90_000, 600_000, 7_200_000, 1_500,
    ]);
  });

  it('are written with the largest unit that divides them', () => {
    expect([0, 500, 90_000, 600_000, 7_200_000].map(fileDuration)).toEqual([
      '0ms',
      '500ms',
      '90s',
      '10m',
      '2h',
    ]);
  });

  it('come back as they were', () => {
    fc.assert(
      fc.property(fc.nat(1e9), (milliseconds) => {
        expect(durationCodec.parse(z.encode(durationCodec, milliseconds))).toBe(milliseconds);
      }),
    );
  });

  it.each(['90', '10 m', '-1s', '1d', ''])('fails on "%s"', (text) => {
    expect(durationCodec.safeParse(text).success).toBe(false);
  });
});
