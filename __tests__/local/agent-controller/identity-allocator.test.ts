import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  createIdentityAllocator,
  identityRange,
} from '../../../local/agent-controller/identity-allocator.js';

type Step =
  | { readonly do: 'hold'; user: string; labels: string }
  | { readonly do: 'keep'; user: string; labels: string }
  | { readonly do: 'leave'; user: string }
  | { readonly do: 'forget'; labels: string }
  | { readonly do: 'renumber'; labels: string };

const user = fc.constantFrom('a', 'b', 'c');
const labels = fc.constantFrom('x', 'y', 'z', 'w', 'v');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant<'hold'>('hold'), user, labels }),
  fc.record({ do: fc.constant<'keep'>('keep'), user, labels }),
  fc.record({ do: fc.constant<'leave'>('leave'), user }),
  fc.record({ do: fc.constant<'forget'>('forget'), labels }),
  fc.record({ do: fc.constant<'renumber'>('renumber'), labels }),
);

describe('the identity allocator', () => {
  it('starts the range of a cluster with its id in the upper half', () => {
    expect(identityRange(1)).toEqual({ first: 65_792, last: 131_071 });
    expect(identityRange(255)).toEqual({ first: 16_711_936, last: 16_777_215 });
  });

  it('gives unique numbers in range and tells the last user from the others', () => {
    const range = { first: 10, last: 13 };
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const allocator = createIdentityAllocator(range);
        const users = new Map<string, Set<string>>();
        const leave = (who: string, kept: string | undefined): string[] =>
          [...users]
            .filter(([set, of]) => set !== kept && of.delete(who) && of.size === 0)
            .map(([set]) => set);
        for (const one of steps) {
          if (one.do === 'hold') {
            const id = allocator.hold(one.user, one.labels);
            if (id !== undefined) {
              users.set(one.labels, (users.get(one.labels) ?? new Set()).add(one.user));
            }
          } else if (one.do === 'forget') allocator.forget(one.labels);
          else if (one.do === 'renumber') allocator.renumber(one.labels);
          else {
            const kept = one.do === 'keep' ? one.labels : undefined;
            expect([...allocator.keepOnly(one.user, kept)].sort()).toEqual(
              leave(one.user, kept).sort(),
            );
          }
          for (const [set, of] of users) {
            expect([...allocator.users(set)].sort()).toEqual([...of].sort());
            // A set with users never loses its number.
            if (of.size > 0) expect(allocator.idOf(set)).toBeDefined();
          }
          const ids = allocator.known().map((set) => allocator.idOf(set) ?? -1);
          expect(new Set(ids).size).toBe(ids.length);
          for (const id of ids) expect(id >= range.first && id <= range.last).toBe(true);
        }
      }),
    );
  });

  it('hands out a freed number last', () => {
    const allocator = createIdentityAllocator({ first: 1, last: 3 });
    expect(allocator.hold('a', 'x')).toBe(1);
    allocator.keepOnly('a', undefined);
    allocator.forget('x');
    expect(allocator.hold('a', 'y')).toBe(2);
    expect(allocator.hold('a', 'z')).toBe(3);
    expect(allocator.hold('a', 'x')).toBe(1);
    expect(allocator.hold('a', 'w')).toBeUndefined();
  });

  it('adopts each number and each label set once, and goes on behind it', () => {
    const allocator = createIdentityAllocator({ first: 1, last: 9 });
    expect(allocator.adopt('x', 4)).toBe('adopted');
    expect(allocator.adopt('x', 4)).toBe('adopted');
    expect(allocator.adopt('x', 5)).toBe('taken');
    expect(allocator.adopt('y', 4)).toBe('taken');
    expect(allocator.adopt('y', 10)).toBe('out-of-range');
    expect(allocator.adopt('y', Number.NaN)).toBe('out-of-range');
    expect(allocator.hold('a', 'y')).toBe(5);
  });
});
