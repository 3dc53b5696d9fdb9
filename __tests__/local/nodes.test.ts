import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { MAX_NODES, nodeName, nodePodRange } from '../../local/nodes.js';
import { addressPlan } from '../../model/address-plan.js';

const numberOf = (address: string): number =>
  ipaddr.IPv4.parse(address).octets.reduce((sum, octet) => sum * 256 + octet, 0);

/** First and last address of a range; throws when its address is not the first of it. */
const span = (range: string): readonly [number, number] => {
  const [address = '', bits = ''] = range.split('/');
  const size = 2 ** (32 - Number(bits));
  if (numberOf(address) % size !== 0) throw new Error(`${range} does not begin at its address`);
  return [numberOf(address), numberOf(address) + size - 1];
};

describe('the pod ranges of nodes', () => {
  it('are disjoint and inside the range of the cluster, for every number of nodes', () => {
    const [first, last] = span(addressPlan(7).pods);
    const wrong: string[] = [];
    for (let nodes = 1; nodes <= MAX_NODES; nodes += 1) {
      let end = first - 1;
      for (let index = 1; index <= nodes; index += 1) {
        const [from, to] = span(nodePodRange(7, index, nodes));
        if (from !== end + 1 || to > last) wrong.push(`node ${index} of ${nodes}`);
        end = to;
      }
    }
    expect(wrong).toEqual([]);
  });

  it('hold at least 16 addresses each, in every cluster', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 255 }),
        fc.integer({ min: 1, max: MAX_NODES }),
        (cluster, nodes) => {
          const range = nodePodRange(cluster, nodes, nodes);
          const [from, to] = span(range);
          const [first, last] = span(addressPlan(cluster).pods);
          expect(to - from + 1).toBeGreaterThanOrEqual(16);
          expect(from).toBeGreaterThanOrEqual(first);
          expect(to).toBeLessThanOrEqual(last);
        },
      ),
    );
  });

  it('are those that AKS gives for a few nodes: a /24 each', () => {
    expect(nodePodRange(3, 1, 5)).toBe('10.3.16.0/24');
    expect(nodePodRange(3, 5, 5)).toBe('10.3.20.0/24');
  });
});

describe('a node', () => {
  it('has a name that sorts and tells its cluster', () => {
    expect(nodeName({ role: 'mesh-002' }, 7)).toBe('mesh-002-node-007');
  });
});
