import { describe, expect, it } from '@jest/globals';
import { rowKey } from '../../model/row-key.js';

const base = { runId: 'r', testType: 't', cluster: 'c', group: 'g', measurement: 'm' };

describe('the key of a row', () => {
  it('does not depend on the order of labels', () => {
    expect(rowKey({ ...base, labels: { a: '1', b: '2' } })).toBe(
      rowKey({ ...base, labels: { b: '2', a: '1' } }),
    );
  });

  it.each(['runId', 'cluster', 'group', 'measurement', 'phase', 'source', 'target', 'item'])(
    'changes with %s',
    (field) => {
      expect(rowKey({ ...base, [field]: 'other' })).not.toBe(rowKey(base));
    },
  );

  it('keeps neighbouring fields apart', () => {
    expect(rowKey({ ...base, source: 'ab', target: 'c' })).not.toBe(
      rowKey({ ...base, source: 'a', target: 'bc' }),
    );
  });
});
