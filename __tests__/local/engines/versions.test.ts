import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CATALOGUE } from '../../../local/engines/catalogue.js';
import { ENGINE_NAMES } from '../../../local/engines/engine-names.js';
import { compareNumbers, fits, fitText } from '../../../local/engines/versions.js';

describe('fitting versions', () => {
  it.each(ENGINE_NAMES)('take %s as it is installed', (name) => {
    expect(fits(CATALOGUE[name], CATALOGUE[name].version)).toBe(true);
  });

  it.each([
    ['kube-apiserver', '1.36.0', true],
    ['kube-apiserver', '1.36.9-dirty', true],
    ['kube-apiserver', '1.35.3', false],
    ['kwok', '0.8.1', true],
    ['kwok', '0.7.0', false],
    ['etcd', '3.5.0', true],
    ['etcd', '3.4.23', false],
    ['etcd', '3.10.0', true],
    ['etcd', '4.0.0', false],
    ['prometheus', '2.42.0+ds', true],
    ['prometheus', '3.16.0', true],
    ['prometheus', '2.39.9', false],
    ['kvstoremesh', '1.19.9', false],
    ['clustermesh-apiserver', '1.15.6', true],
    ['clustermesh-apiserver', '1.20.2', false],
  ] as const)('say of %s %s: %s', (name, version, expected) => {
    expect(fits(CATALOGUE[name], version)).toBe(expected);
  });

  it('are told to people', () => {
    expect(fitText(CATALOGUE.kwok)).toBe('0.8.x');
    expect(fitText(CATALOGUE.etcd)).toBe('3.5.0 or later, below 4.0.0');
    expect(fitText(CATALOGUE.prometheus)).toBe('2.40.0 or later');
  });

  it('are ordered as numbers, not as text', () => {
    const number = fc.nat({ max: 300 });
    fc.assert(
      fc.property(fc.tuple(number, number, number), fc.tuple(number, number, number), (a, b) => {
        const expected = a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
        expect(Math.sign(compareNumbers(a.join('.'), `v${b.join('.')}`))).toBe(Math.sign(expected));
      }),
    );
  });
});
