import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkThresholds } from '../../../workload/compare/gate.js';
import { median, medianShift, stillSure } from '../../../workload/compare/median-shift.js';
import { parseThresholds } from '../../../workload/compare/thresholds.js';
import { across, madeRun } from './made-runs.js';

const atMost = (limit: number | string) => [{ measurement: 'low', query: 'Perc99', atMost: limit }];
const names = new Map([['LowId', 'low']]);

describe('a threshold', () => {
  it('holds what is within and breaks what is not, and says where', () => {
    const run = madeRun({ low: across(3, (n) => n) });
    expect(checkThresholds(run, atMost(3), names)[0]?.state).toBe('held');
    const [broken] = checkThresholds(run, atMost(2), names);
    expect(broken).toMatchObject({ state: 'broken', value: 3, limit: 2 });
    expect(broken?.text).toContain('in cluster 3');
  });

  it('never passes where one cluster of many has no value', () => {
    const run = madeRun({ low: across(3, () => 1) }, ['4']);
    expect(checkThresholds(run, atMost(9), names)[0]).toMatchObject({ state: 'missing' });
  });

  it('never passes where there is no such value at all', () => {
    expect(checkThresholds(madeRun({}), atMost(9), names)[0]).toMatchObject({ state: 'missing' });
  });

  it('takes durations in any unit, and ids of the catalogue', () => {
    const run = madeRun({ low: across(3, () => 1.5) });
    const asked = { measurement: 'LowId', query: 'Perc99' };
    const [first, second] = [
      { ...asked, atMost: '1600ms' },
      { ...asked, atLeast: '1m' },
    ].map((threshold) => checkThresholds(run, [threshold], names)[0]);
    expect(first).toMatchObject({ state: 'held', limit: 1.6 });
    expect(second).toMatchObject({ state: 'broken', limit: 60 });
  });

  it('may be on the median instead of the worst', () => {
    const run = madeRun({ low: across(3, (n) => n) });
    const ofMedian = atMost(2).map((one) => ({ ...one, of: 'median' as const }));
    const [check] = checkThresholds(run, ofMedian, names);
    expect(check).toMatchObject({ state: 'held', value: 2 });
  });

  it('is monotone: better values, laxer limits and fewer holes never break what held', () => {
    const values = fc.dictionary(fc.nat(9).map(String), fc.integer({ min: 0, max: 20 }), {
      minKeys: 1,
    });
    fc.assert(
      fc.property(values, fc.nat(20), fc.nat(5), fc.nat(5), (low, limit, better, laxer) => {
        const held = (measured: Record<string, number>, most: number, clusters: string[] = []) =>
          checkThresholds(madeRun({ low: measured }, clusters), atMost(most), names).every(
            ({ state }) => state === 'held',
          );
        const lower = Object.fromEntries(
          Object.entries(low).map(([place, value]) => [place, value - better]),
        );
        if (held(low, limit)) {
          expect(held(lower, limit)).toBe(true);
          expect(held(low, limit + laxer)).toBe(true);
        } else expect(held(low, limit, ['hole'])).toBe(false);
      }),
    );
  });
});

describe('a file of thresholds', () => {
  it.each([
    ['schemaVersion: 2\nthresholds: []', /schemaVersion/],
    ['schemaVersion: 1\nthresholds: [{ measurement: a, query: b }]', /atMost/],
    ['schemaVersion: 1\nthresholds: [{ measurement: a, query: b, atMots: 1 }]', /atMots/],
    ['schemaVersion: 1\nthresholds: [{ measurement: a, query: b, worseBy: 20 }]', /20%|worseBy/],
    ['{', /./],
  ])('fails with the place: %s', (text, said) => {
    let error: unknown;
    try {
      parseThresholds(text, 'thresholds.yaml');
    } catch (caught) {
      error = caught;
    }
    expect(`${JSON.stringify(error)} ${String(error)}`).toMatch(said);
  });

  it('never does anything but give thresholds or user errors, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        try {
          expect(parseThresholds(text, 'f').length).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toHaveProperty('name', expect.stringMatching(/UserError/));
        }
      }),
    );
  });
});

describe('the median shift', () => {
  it('has an interval that holds the true shift in about 95 of 100 samples', () => {
    let inside = 0;
    let state = 1;
    const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
    for (let round = 0; round < 1000; round++) {
      const pairs = Array.from({ length: 15 }, () => [0, 3 + (random() ** 4 - 0.5 ** 4)] as const);
      const interval = medianShift(pairs)?.interval;
      if (interval !== undefined && interval.low <= 3 && interval.high >= 3) inside += 1;
    }
    expect(inside).toBeGreaterThan(930);
    expect(inside).toBeLessThan(1000);
  });

  it('calls 10 of 10 as likely as 2 in 1024', () => {
    const pairs = Array.from({ length: 10 }, () => [1, 2] as const);
    expect(medianShift(pairs)?.chance).toBeCloseTo(2 / 1024);
  });

  it('is as in the middle as a sorted list', () => {
    expect([median([]), median([3]), median([4, 1]), median([9, 1, 5])]).toEqual([
      undefined,
      3,
      2.5,
      5,
    ]);
  });
});

it('of many chances only those stay that are rarer than as many would give', () => {
  expect(stillSure([0.001, 0.04, 0.5, 0.9])).toEqual([true, false, false, false]);
  expect(stillSure([0.01, 0.02])).toEqual([true, true]);
  expect(stillSure([])).toEqual([]);
});
