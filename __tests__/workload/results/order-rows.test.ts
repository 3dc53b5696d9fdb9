import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Row } from '../../../model/row.js';
import { makeRow } from '../../../workload/results/make-row.js';
import { newestRows, sortRows } from '../../../workload/results/order-rows.js';
import { foreignFacts } from '../../../workload/results/foreign-folder.js';
import { withTemporaryFolder } from '../../helpers/temporary-folder.js';

const facts = await withTemporaryFolder((path) => foreignFacts({ path, cluster: 'mesh-1' }));

const rowOf = (measurement: string, attempt: number, stamp: string, value: number): Row =>
  makeRow(
    {
      facts: { ...facts, runId: 'r', testType: 't' },
      timestamp: '',
      cluster: 'mesh-1',
      attempt,
      status: 'success',
      details: null,
      invalidReasons: [],
    },
    {
      kind: 'measurement',
      group: 'g',
      measurement,
      stamp,
      result: { data: { value } },
      unit: '',
      state: 'present',
    },
  );

const rows = fc.array(
  fc
    .tuple(
      fc.constantFrom('a', 'b', 'c'),
      fc.integer({ min: 1, max: 3 }),
      fc.constantFrom('1', '2'),
      fc.integer({ min: 0, max: 3 }),
    )
    .map((parts) => rowOf(...parts)),
);

describe('the newest rows', () => {
  it('do not depend on the order in which they were read', () => {
    fc.assert(
      fc.property(rows, fc.func(fc.integer()), (all, shuffle) => {
        const shuffled = [...all].sort((a, b) => shuffle(a) - shuffle(b));
        expect(sortRows(newestRows(shuffled))).toEqual(sortRows(newestRows(all)));
      }),
    );
  });

  it('are one for each key, and none is older than another of its key', () => {
    fc.assert(
      fc.property(rows, (all) => {
        const newest = newestRows(all);
        expect(new Set(newest.map((row) => row.meshscale.key)).size).toBe(newest.length);
        for (const kept of newest) {
          const same = all.filter((row) => row.meshscale.key === kept.meshscale.key);
          const age = (row: Row) => `${row.meshscale.attempt}/${row.meshscale.stamp}`;
          expect(age(kept)).toBe(same.map(age).sort().at(-1));
        }
      }),
    );
  });

  it('stay as they are when chosen again', () => {
    fc.assert(
      fc.property(rows, (all) => {
        const once = newestRows(all);
        expect(newestRows(once)).toEqual(once);
      }),
    );
  });
});
