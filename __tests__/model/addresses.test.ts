import { describe, expect, it } from '@jest/globals';
import ipaddr from 'ipaddr.js';
import { addressPlan } from '../../model/address-plan.js';
import {
  clusterNumber,
  clusterRole,
  clusterRoles,
  directedPairs,
  MAX_CLUSTERS,
  pairName,
} from '../../model/cluster-identity.js';

const numbers = Array.from({ length: MAX_CLUSTERS }, (_, index) => index + 1);
const outside = [0, -1, 256, 1.5, Number.NaN];

const contains = (outer: string, inner: string): boolean => {
  const [address, bits] = ipaddr.IPv4.parseCIDR(inner);
  const [outerAddress, outerBits] = ipaddr.IPv4.parseCIDR(outer);
  return bits >= outerBits && address.match(outerAddress, outerBits);
};
const overlap = (a: string, b: string): boolean => contains(a, b) || contains(b, a);

/** First and last address as numbers. */
const spanOf = (cidr: string) => {
  const [address = '', bits = ''] = cidr.split('/');
  const first = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  return { cidr, first, last: first + 2 ** (32 - Number(bits)) - 1 };
};

describe('the address plan', () => {
  it('gives 255 clusters ranges that do not overlap', () => {
    const ranges = numbers.flatMap((number) => {
      const { nodes, pods } = addressPlan(number);
      return [nodes, pods];
    });
    // Sorted by their first address, ranges overlap with somebody only if they do with a neighbour.
    const spans = ranges.map(spanOf).toSorted((a, b) => a.first - b.first);
    const wrong = spans.filter((span, index) => span.first <= (spans[index - 1]?.last ?? -1));
    expect(wrong).toEqual([]);
    expect(spans).toHaveLength(2 * MAX_CLUSTERS);
  });

  it('keeps nodes and pods inside the network of their cluster, and services outside of all', () => {
    for (const number of numbers) {
      const { vnet, nodes, pods, services, dnsServiceIp } = addressPlan(number);
      expect([contains(vnet, nodes), contains(vnet, pods)]).toEqual([true, true]);
      expect(overlap(services, vnet)).toBe(false);
      expect(contains(services, `${dnsServiceIp}/32`)).toBe(true);
    }
  });

  it.each(outside)('fails for cluster %d', (number) => {
    expect(() => addressPlan(number)).toThrow(RangeError);
  });
});

describe('the identity of a cluster', () => {
  it('is a name that sorts like its number and gives it back', () => {
    const roles = clusterRoles(MAX_CLUSTERS);
    expect([roles[0], roles.at(-1)]).toEqual(['mesh-001', 'mesh-255']);
    expect(roles.toSorted()).toEqual(roles);
    expect(roles.map(clusterNumber)).toEqual(numbers);
  });

  it('reads foreign spellings by the number at their end', () => {
    expect(['mesh-1', 'aks7', 'prod'].map(clusterNumber)).toEqual([1, 7, undefined]);
  });

  it.each(outside)('fails for number %d', (number) => {
    expect(() => clusterRole(number)).toThrow(RangeError);
  });

  it('has every ordered pair of different clusters once, source first', () => {
    const pairs = directedPairs(clusterRoles(4)).map(pairName);
    expect(new Set(pairs).size).toBe(12);
    expect(pairs[0]).toBe('mesh-001--mesh-002');
    expect(directedPairs(clusterRoles(1))).toEqual([]);
  });
});
