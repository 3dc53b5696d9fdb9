import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { percentile, quantiles } from '../../model/percentiles.js';

const values = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 });
const share = fc.double({ min: 0, max: 1, noNaN: true });

describe('percentiles', () => {
  it('are values that really occurred, with at least their share of all at or below them', () => {
    fc.assert(
      fc.property(values, share, (given, at) => {
        const sorted = [...given].sort((a, b) => a - b);
        const found = percentile(sorted, at);
        expect(given).toContain(found);
        const below = sorted.filter((value) => value <= (found ?? Number.NaN)).length;
        expect(below).toBeGreaterThanOrEqual(at * sorted.length - 1e-9);
      }),
    );
  });

  it('never fall when their share grows', () => {
    fc.assert(
      fc.property(values, share, share, (given, one, other) => {
        const sorted = [...given].sort((a, b) => a - b);
        const low = percentile(sorted, Math.min(one, other)) ?? Number.NaN;
        expect(low).toBeLessThanOrEqual(percentile(sorted, Math.max(one, other)) ?? Number.NaN);
      }),
    );
  });

  it('do not depend on the order of the samples, and leave out what is no number', () => {
    fc.assert(
      fc.property(values, (given) => {
        const mixed = [Number.NaN, ...[...given].reverse(), Number.POSITIVE_INFINITY];
        expect(quantiles(mixed)).toEqual(quantiles(given));
      }),
    );
  });

  it('take the nearest rank of a hundred', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
    expect(quantiles(hundred)).toEqual({ p50: 50, p90: 90, p99: 99, max: 100, samples: 100 });
  });

  it('are missing without samples', () => {
    expect(quantiles([])).toBeUndefined();
    expect(quantiles([Number.NaN])).toBeUndefined();
  });
});
