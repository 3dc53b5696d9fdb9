import type { KubeObject, KubeWatchEvent } from './kube-client.js';

/** One change against what was known before. */
export interface ReflectorEvent<T> {
  readonly type: 'added' | 'modified' | 'deleted';
  /** `namespace/name`, or `name` of what has no namespace. */
  readonly key: string;
  /** As kept; of a deletion the last state that was seen. */
  readonly object: T;
  /** `list`: found by a later list, so it happened some time before it was seen. */
  readonly seenBy: 'watch' | 'list';
}

/** An object as the store holds it. */
export interface StoreEntry<T> {
  readonly key: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly object: T;
}

/** The known state of a collection. */
export interface ReflectorStore<T> {
  readonly entryOf: (object: KubeObject) => StoreEntry<T>;
  /** Takes a whole new list and gives the differences, deletions first. */
  replace(entries: readonly StoreEntry<T>[]): readonly ReflectorEvent<T>[];
  /** Takes one event of a watch; undefined when it tells nothing new. */
  apply(event: Exclude<KubeWatchEvent, { type: 'bookmark' }>): ReflectorEvent<T> | undefined;
  items(): readonly T[];
  get(key: string): T | undefined;
}

/** An empty store that holds of each object what `keep` gives. */
export function createReflectorStore<T>(keep: (object: KubeObject) => T): ReflectorStore<T> {
  let known = new Map<string, StoreEntry<T>>();
  const entryOf = (object: KubeObject): StoreEntry<T> => ({
    key: objectKey(object),
    uid: object.metadata.uid ?? '',
    resourceVersion: object.metadata.resourceVersion ?? '',
    object: keep(object),
  });
  return {
    entryOf,
    replace: (entries) => {
      const before = known;
      known = new Map(entries.map((entry) => [entry.key, entry]));
      return differences(before, known);
    },
    apply: ({ type, object }) => {
      const entry = entryOf(object);
      const { key } = entry;
      const isKnown = known.has(key);
      if (type === 'deleted') {
        return known.delete(key) ? { type, key, object: entry.object, seenBy: 'watch' } : undefined;
      }
      known.set(key, entry);
      return { type: isKnown ? 'modified' : 'added', key, object: entry.object, seenBy: 'watch' };
    },
    items: () => [...known.values()].map((entry) => entry.object),
    get: (key) => known.get(key)?.object,
  };
}

/** `namespace/name`, or `name` of what has no namespace. */
export function objectKey({ metadata }: KubeObject): string {
  return metadata.namespace === undefined
    ? metadata.name
    : `${metadata.namespace}/${metadata.name}`;
}

type Entries<T> = ReadonlyMap<string, StoreEntry<T>>;

function differences<T>(before: Entries<T>, after: Entries<T>): readonly ReflectorEvent<T>[] {
  const gone: ReflectorEvent<T>[] = [];
  const come: ReflectorEvent<T>[] = [];
  for (const [key, { uid, object }] of before) {
    // A namesake with another uid is another object: the old one was deleted meanwhile.
    if (after.get(key)?.uid !== uid) gone.push({ type: 'deleted', key, object, seenBy: 'list' });
  }
  for (const [key, { uid, resourceVersion, object }] of after) {
    const old = before.get(key);
    if (old?.uid !== uid) come.push({ type: 'added', key, object, seenBy: 'list' });
    else if (old.resourceVersion !== resourceVersion) {
      come.push({ type: 'modified', key, object, seenBy: 'list' });
    }
  }
  return [...gone, ...come];
}
