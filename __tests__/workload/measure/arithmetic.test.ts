import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { joinAcross, quantileOf, reduceOver } from '../../../workload/measure/aggregate.js';
import { histogramQuantile, overflowShare } from '../../../workload/measure/histogram.js';

const BUCKETS = [
  { upTo: Infinity, count: 10 },
  { upTo: 1, count: 8 },
  { upTo: 0.1, count: 2 },
];

describe('the quantile of a histogram', () => {
  it('lies linearly within its bucket', () => {
    expect(histogramQuantile(BUCKETS, 0.5)).toEqual({
      value: 0.1 + 0.9 * ((5 - 2) / 6),
      saturated: false,
    });
    expect(histogramQuantile(BUCKETS, 0.1)?.value).toBeCloseTo(0.05);
  });

  it('says that it lies beyond the last finite bucket instead of passing for its edge', () => {
    expect(histogramQuantile(BUCKETS, 0.99)).toEqual({ value: 1, saturated: true });
    expect(overflowShare(BUCKETS)).toBe(0.2);
  });

  it('is not there without an observation or without a finite bucket', () => {
    const none = [
      { upTo: 1, count: 0 },
      { upTo: Infinity, count: 0 },
    ];
    expect(histogramQuantile(none, 0.5)).toBeUndefined();
    expect(overflowShare(none)).toBeUndefined();
    expect(histogramQuantile([{ upTo: Infinity, count: 5 }], 0.5)).toBeUndefined();
    expect(histogramQuantile([], 0.5)).toBeUndefined();
  });

  it('rises with the quantile and stays within the finite buckets', () => {
    const counts = fc.array(fc.nat(20), { minLength: 2, maxLength: 12 });
    const quantiles = fc.tuple(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
    );
    fc.assert(
      fc.property(counts, quantiles, (perBucket, [one, other]) => {
        let sum = 0;
        const buckets = perBucket.map((count, index) => ({
          upTo: index === perBucket.length - 1 ? Infinity : index + 1,
          count: (sum += count),
        }));
        const low = histogramQuantile(buckets, Math.min(one, other));
        const high = histogramQuantile(buckets, Math.max(one, other));
        if (sum === 0) {
          expect(low).toBeUndefined();
          return;
        }
        expect(low?.value ?? NaN).toBeLessThanOrEqual(high?.value ?? NaN);
        expect(high?.value ?? NaN).toBeLessThanOrEqual(perBucket.length - 1);
      }),
    );
  });
});

describe('joining series', () => {
  it('sums, takes extremes, means and quantiles', () => {
    expect(joinAcross([1, 2, 6], 'sum')).toBe(9);
    expect(joinAcross([1, 2, 6], 'min')).toBe(1);
    expect(joinAcross([1, 2, 6], 'max')).toBe(6);
    expect(joinAcross([1, 2, 6], 'avg')).toBe(3);
    expect(joinAcross([6, 1], { quantile: 0.5 })).toBe(3.5);
    expect(quantileOf([5], 0.99)).toBe(5);
  });

  it('gives no 0 for no series', () => {
    expect(joinAcross([], 'sum')).toBeUndefined();
    expect(joinAcross([], { quantile: 0.5 })).toBeUndefined();
    expect(reduceOver([], 'last')).toBeUndefined();
  });

  it('takes the last of a time, not the largest', () => {
    expect(reduceOver([9, 1], 'last')).toBe(1);
  });
});
