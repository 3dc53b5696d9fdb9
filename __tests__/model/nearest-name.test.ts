import { describe, expect, it } from '@jest/globals';
import { nearestName } from '../../model/nearest-name.js';

describe('the nearest name', () => {
  it.each([
    ['namespacez', 'namespaces'],
    ['hold_duration', 'holdDuration'],
    ['HOLDDURATION', 'holdDuration'],
    ['ratee', 'rate'],
  ])('finds what %s was meant to be', (name, nearest) => {
    expect(nearestName(name, ['rate', 'namespaces', 'holdDuration'])).toBe(nearest);
  });

  it('is none when nothing is close', () => {
    expect(nearestName('replicas', ['rate', 'namespaces'])).toBeUndefined();
    expect(nearestName('load', ['hold'])).toBeUndefined();
    expect(nearestName('x', [])).toBeUndefined();
  });
});
