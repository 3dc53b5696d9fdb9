import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { growthSteps, totalGrowth } from '../../../workload/measure/growth.js';
import type { RawSample } from '../../../workload/measure/prometheus-source.js';
import { targetHistories } from '../../../workload/measure/target-history.js';

const WINDOW = { start: 100, end: 200 };
const UNKNOWN = { scrapes: [], processStart: undefined };

function grown(samples: readonly (readonly [number, number])[], target = UNKNOWN as Target) {
  const series = { labels: {}, samples: samples.map(([at, value]) => ({ at, value })) };
  return growthSteps(series, WINDOW, target);
}

type Target = Parameters<typeof growthSteps>[2];

describe('the growth of a counter', () => {
  it('begins at the last sample by the start and ends at the last one by the end', () => {
    const steps = grown([
      [80, 1],
      [100, 10],
      [150, 14],
      [200, 20],
      [220, 99],
    ]);
    expect(steps).toEqual([
      { from: 100, to: 150, gained: 4 },
      { from: 150, to: 200, gained: 6 },
    ]);
  });

  it('counts a value below its predecessor as a restart from nothing', () => {
    expect(
      totalGrowth(
        grown([
          [90, 1_000],
          [120, 1_005],
          [140, 3],
          [160, 8],
        ]),
      ),
    ).toBe(5 + 3 + 5);
  });

  it('takes a label that is born on a scraped target for 0 before its first event', () => {
    const target = { scrapes: [90, 120, 150], processStart: undefined };
    expect(grown([[150, 7]], target)).toEqual([{ from: 120, to: 150, gained: 7 }]);
  });

  it('takes a process that began in the window for 0 before', () => {
    const target = { scrapes: [150], processStart: 110 };
    expect(grown([[150, 7]], target)).toEqual([{ from: 110, to: 150, gained: 7 }]);
  });

  it('does not take a past that nobody scraped for growth', () => {
    const target = { scrapes: [150, 180], processStart: 10 };
    const samples = [
      [150, 700],
      [180, 703],
    ] as const;
    expect(totalGrowth(grown(samples, target))).toBe(3);
    expect(totalGrowth(grown(samples, UNKNOWN))).toBe(3);
  });

  it('leaves samples out that are no numbers', () => {
    expect(
      totalGrowth(
        grown([
          [100, 1],
          [120, Number.NaN],
          [140, Infinity],
          [160, 5],
        ]),
      ),
    ).toBe(4);
  });

  it('is nothing at all when no sample lies inside', () => {
    expect(grown([[100, 5]])).toEqual([]);
    expect(grown([[201, 5]])).toEqual([]);
  });

  it('is what was counted, wherever the process restarted between two scrapes', () => {
    const scrapeArbitrary = fc.record({ events: fc.nat(50), restart: fc.boolean() });
    fc.assert(
      fc.property(fc.nat(1_000), fc.array(scrapeArbitrary, { maxLength: 30 }), (past, scrapes) => {
        let counter = past;
        let counted = 0;
        const samples: RawSample[] = [{ at: 100, value: past }];
        for (const [index, { events, restart }] of scrapes.entries()) {
          // a restart that is hidden by more events than before it cannot be seen by anybody
          const visible = restart && events < counter;
          counter = visible ? events : counter + events;
          counted += events;
          samples.push({ at: 101 + index, value: counter });
        }
        const steps = growthSteps({ labels: {}, samples }, WINDOW, UNKNOWN);
        expect(totalGrowth(steps)).toBe(counted);
        expect(steps.every(({ gained, from, to }) => gained >= 0 && to > from)).toBe(true);
      }),
    );
  });

  it('of neighbouring windows adds up to that of both together', () => {
    const values = fc.array(fc.nat(100), { minLength: 2, maxLength: 40 });
    fc.assert(
      fc.property(values, fc.nat(39), (counts, cut) => {
        const samples = counts.map((value, at) => ({ at, value }));
        const series = { labels: {}, samples };
        const sum = (start: number, end: number) =>
          totalGrowth(growthSteps(series, { start, end }, UNKNOWN));
        expect(sum(0, cut) + sum(cut, 40)).toBe(sum(0, 40));
      }),
    );
  });
});

describe('the history of targets', () => {
  const up = [
    { labels: { instance: 'a' }, samples: [10, 20].map((at) => ({ at, value: 1 })) },
    { labels: { instance: 'b' }, samples: [{ at: 15, value: 1 }] },
  ];

  it('belongs to the instance that a series was scraped from', () => {
    const starts = [{ labels: { instance: 'a' }, samples: [{ at: 20, value: 5 }] }];
    const histories = targetHistories(up, starts);
    const of = (instance: string) => histories.of({ labels: { instance, pod: 'x' }, samples: [] });
    expect(of('a')).toEqual({ scrapes: [10, 20], processStart: 5_000 });
    expect(of('b')).toEqual({ scrapes: [15], processStart: undefined });
    expect(of('c')).toEqual({ scrapes: [], processStart: undefined });
  });

  it('leaves out scrapes that failed, because they could not see a counter', () => {
    const failed = [{ labels: {}, samples: [{ at: 10, value: 0 }] }];
    expect(targetHistories(failed, []).of({ labels: {}, samples: [] }).scrapes).toEqual([]);
    expect(targetHistories(failed, []).scrapesIn({ start: 0, end: 20 })).toBe(0);
  });

  it('counts the scrapes of a window, which begins after its start', () => {
    expect(targetHistories(up, []).scrapesIn({ start: 10, end: 20 })).toBe(2);
  });
});
