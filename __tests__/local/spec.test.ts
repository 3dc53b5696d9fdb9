import { describe, expect, it } from '@jest/globals';
import { DEFAULT_SPEC, parseSpec } from '../../local/spec.js';
import { userErrorsOf } from '../../model/user-error.js';

const codesOf = (deed: () => unknown): readonly string[] => {
  try {
    deed();
    return [];
  } catch (error) {
    return userErrorsOf(error).map(({ code }) => code);
  }
};

describe('the flags of `up`', () => {
  it('need not be given', () => {
    expect(parseSpec({})).toEqual({ clusters: 2, nodes: 20, exportQps: 20, meshQps: 100 });
  });

  it('that are not given stay as the mesh has them', () => {
    const known = { clusters: 5, nodes: 7, exportQps: 3, meshQps: 50 };
    expect(parseSpec({ nodes: '9' }, known)).toEqual({ ...known, nodes: 9 });
  });

  it.each(['1', '255'])('take %s clusters', (clusters) => {
    expect(parseSpec({ clusters }).clusters).toBe(Number(clusters));
  });

  it.each(['0', '256', '-1', '2.5', 'two', '', ' 2', '1e2', '0x10'])(
    'fails for "%s" clusters',
    (clusters) => {
      expect(codesOf(() => parseSpec({ clusters }))).toEqual(['mesh/clusters-out-of-range']);
    },
  );

  it.each(['0', '257', 'many'])('fails for "%s" nodes', (nodes) => {
    expect(codesOf(() => parseSpec({ nodes }))).toEqual(['mesh/nodes-out-of-range']);
  });

  it('take rates that are not whole', () => {
    expect(parseSpec({ exportQps: '0.5' }).exportQps).toBe(0.5);
  });

  it.each(['0', '-3', '10001', 'Infinity', 'NaN'])('fails for a rate of "%s"', (exportQps) => {
    expect(codesOf(() => parseSpec({ exportQps }))).toEqual(['mesh/rate-out-of-range']);
  });

  it('fails with everything that is wrong, at once', () => {
    const flags = { clusters: '0', nodes: '0', exportQps: '0', meshQps: 'x' };
    expect(codesOf(() => parseSpec(flags, DEFAULT_SPEC)).toSorted()).toEqual([
      'mesh/clusters-out-of-range',
      'mesh/nodes-out-of-range',
      'mesh/rate-out-of-range',
      'mesh/rate-out-of-range',
    ]);
  });
});
