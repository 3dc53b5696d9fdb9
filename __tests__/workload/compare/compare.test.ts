import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compareRuns } from '../../../workload/compare/compare-runs.js';
import { directionsOf } from '../../../workload/compare/direction.js';
import { noiseOf } from '../../../workload/compare/noise.js';
import { across, madeRun, someRuns } from './made-runs.js';
import type { RunSeries } from '../../../workload/compare/series.js';
import { parseThresholds, type Threshold } from '../../../workload/compare/thresholds.js';

const directions = directionsOf([
  { metricName: 'low', direction: 'lower' },
  { metricName: 'low 2', direction: 'lower' },
  { metricName: 'high', direction: 'higher' },
]);

describe('comparing two runs', () => {
  it('is quiet about a run and itself', () => {
    fc.assert(
      fc.property(someRuns, (run) => {
        const { changes, verdict } = compared(run, run);
        expect(changes.filter(({ state }) => !['same', 'gone'].includes(state))).toEqual([]);
        expect(verdict).not.toBe('worse');
      }),
    );
  });

  it('never calls better what is worse the other way round', () => {
    const opposite = { better: 'worse', worse: 'better', gone: 'new', new: 'gone' } as const;
    fc.assert(
      fc.property(someRuns, (run) => {
        const doubled = scaled(run, 2);
        const there = compared(run, doubled).changes.map(({ state }) => state);
        const back = compared(doubled, run).changes.map(({ state }) => state);
        for (const [index, state] of there.entries()) {
          if (state !== 'better' && state !== 'worse') continue;
          expect(back[index]).toBe(opposite[state]);
        }
      }),
    );
  });

  it('says worse of a latency that grew in every one of 12 clusters', () => {
    const before = madeRun({ low: across(12, (n) => 1 + n / 100) });
    const { changes, verdict } = compared(before, scaled(before, 1.5));
    expect(changes.map(({ state }) => state)).toEqual(['worse']);
    expect(changes[0]?.share).toBeCloseTo(0.5);
    expect(changes[0]?.moved?.interval?.low).toBeGreaterThan(0);
    expect(verdict).toBe('worse');
  });

  it('says better of a rate that grew, and moved of what has no direction', () => {
    const before = madeRun({ high: across(12, (n) => n), neutral: across(12, (n) => n) });
    const states = compared(before, scaled(before, 2)).changes.map(({ state }) => state);
    expect(states).toEqual(['better', 'moved']);
  });

  it('is not spoilt by one cluster that went wild', () => {
    const before = madeRun({ low: across(12, () => 1) });
    const after = madeRun({ low: across(12, (n) => (n === 7 ? 900 : 1)) });
    expect(compared(before, after).changes[0]?.state).toBe('same');
  });

  it('is not sure with two clusters', () => {
    const before = madeRun({ low: across(2, () => 1) });
    const { changes, verdict } = compared(before, scaled(before, 3));
    expect(changes[0]?.state).toBe('unsure');
    expect(changes[0]?.moved?.interval).toBeUndefined();
    expect(verdict).toBe('same');
  });

  it('leaves out what repeated runs differ by, too', () => {
    const before = madeRun({ low: across(12, () => 1) });
    const repeated = [0.8, 1, 1.2, 1.3].map((factor) => scaled(before, factor));
    const after = scaled(before, 1.4);
    expect(compared(before, after).changes[0]?.state).toBe('worse');
    const quiet = compareRuns(before, after, { directions, noise: noiseOf(repeated), names });
    expect(quiet.changes[0]?.state).toBe('same');
  });

  it('cannot judge a run that has lost a value, in all clusters or in one', () => {
    const before = madeRun({ low: across(12, () => 1) });
    expect(compared(before, madeRun({ high: across(12, () => 1) })).verdict).toBe('incomparable');
    expect(compared(before, madeRun({ low: across(11, () => 1) })).verdict).toBe('incomparable');
  });

  it('notes what is not alike', () => {
    const before = madeRun({ low: across(12, () => 1) });
    const { notes } = compared(before, { ...madeRun({ low: across(5, () => 1) }), scenario: 't' });
    expect(notes.join()).toMatch(/scenario s and t.*number of clusters 12 and 5/);
  });
});

describe('a threshold on a change', () => {
  const worseBy = (share: string) =>
    parseThresholds(
      `schemaVersion: 1\nthresholds:\n  - { measurement: low, query: Perc99, worseBy: ${share} }`,
      't.yaml',
    );

  it.each([
    ['50%', 'worse'],
    ['120%', 'same'],
  ])('of %s says %s of what doubled', (share, verdict) => {
    const before = madeRun({ low: across(12, (n) => n), 'low 2': across(12, (n) => n) });
    const after = madeRun({ low: across(12, (n) => 2 * n), 'low 2': across(12, (n) => 9 * n) });
    expect(compared(before, after, worseBy(share)).verdict).toBe(verdict);
  });

  it('decides with few clusters, too: somebody asked for it', () => {
    const before = madeRun({ low: across(2, () => 1) });
    expect(compared(before, scaled(before, 3), worseBy('50%')).verdict).toBe('worse');
  });

  it('fails for a value that the later run has not', () => {
    const before = madeRun({ low: across(12, () => 1) });
    const after = madeRun({ low: across(11, () => 1) });
    expect(compared(before, after, worseBy('50%')).checks[0]?.state).toBe('missing');
  });

  it('fails for a value that no run has', () => {
    const run = madeRun({ high: across(12, () => 1) });
    expect(compared(run, run, worseBy('50%')).verdict).toBe('worse');
  });
});

const names = new Map<string, string>();

function compared(before: RunSeries, after: RunSeries, thresholds?: readonly Threshold[]) {
  return compareRuns(before, after, { directions, noise: noiseOf([]), names, thresholds });
}

function scaled(run: RunSeries, factor: number): RunSeries {
  const series = [...run.series].map(([id, one]) => {
    const values = new Map([...one.values].map(([place, value]) => [place, value * factor]));
    return [id, { ...one, values }] as const;
  });
  return { ...run, series: new Map(series) };
}
