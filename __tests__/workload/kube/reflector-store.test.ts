import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createReflectorStore } from '../../../workload/kube/reflector-store.js';
import { objectNamed } from '../../helpers/fake-api-server.js';

/** What a collection may look like: a name at most once, each with a version and an identity. */
const collection = fc
  .uniqueArray(
    fc.record({ name: fc.integer({ min: 0, max: 9 }), version: fc.nat(3), uid: fc.nat(1) }),
    {
      selector: ({ name }) => name,
    },
  )
  .map((list) => list.map(({ name, version, uid }) => objectNamed(`o${name}`, version, `u${uid}`)));

describe('createReflectorStore', () => {
  it('tells differences that turn the old list into the new one, whatever they are', () => {
    fc.assert(
      fc.property(fc.array(collection, { maxLength: 6 }), (lists) => {
        const store = createReflectorStore((object) => object);
        const mirror = new Map<string, unknown>();
        for (const list of lists) {
          for (const { type, key, object } of store.replace(list.map(store.entryOf))) {
            // Nothing is added twice, and nothing is changed or deleted that isn't there.
            expect(mirror.has(key)).toBe(type !== 'added');
            if (type === 'deleted') mirror.delete(key);
            else mirror.set(key, object);
          }
          expect(new Set(mirror.values())).toEqual(new Set(list));
          expect(new Set(store.items())).toEqual(new Set(list));
        }
      }),
    );
  });

  it('tells nothing when nothing has changed', () => {
    const store = createReflectorStore((object) => object);
    const entries = [objectNamed('a', 1)].map(store.entryOf);
    store.replace(entries);
    expect(store.replace(entries)).toEqual([]);
  });

  it('tells a namesake with another uid as a deletion and an addition, with the old object', () => {
    const store = createReflectorStore((object) => object.metadata.uid);
    store.replace([store.entryOf(objectNamed('a', 1, 'old'))]);
    expect(store.replace([store.entryOf(objectNamed('a', 2, 'new'))])).toEqual([
      { type: 'deleted', key: 'n/a', object: 'old', seenBy: 'list' },
      { type: 'added', key: 'n/a', object: 'new', seenBy: 'list' },
    ]);
  });

  it('corrects the type of an event to what was known, and swallows the deletion of a stranger', () => {
    const store = createReflectorStore((object) => object.metadata.name);
    const a = objectNamed('a', 1);
    expect(store.apply({ type: 'deleted', object: a })).toBeUndefined();
    expect(store.apply({ type: 'modified', object: a })?.type).toBe('added');
    expect(store.apply({ type: 'added', object: a })?.type).toBe('modified');
    expect(store.get('n/a')).toBe('a');
    expect(store.apply({ type: 'deleted', object: a })?.type).toBe('deleted');
    expect(store.get('n/a')).toBeUndefined();
  });
});
