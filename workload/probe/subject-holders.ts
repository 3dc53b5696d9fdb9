import type { Place, Sighting } from './place.js';

/** Something that a key or object shows while it stands as it stands. */
export interface Subject {
  readonly name: string;
  readonly detail?: string | undefined;
}

/** What every key or object of one collection shows now. */
export interface SubjectHolders {
  put(key: string, subjects: readonly Subject[], sighting: Sighting): void;
  remove(key: string, sighting: Sighting): void;
  /** Takes a whole new reading: what is not in it is gone. */
  replace(all: ReadonlyMap<string, readonly Subject[]>, sighting: Sighting): void;
}

/**
 * Turns values that come and go into subjects that come and go. A subject is there as long as any key
 * shows it: a pod has a key per address family, a Service several slices.
 */
export function createHolders(place: Place): SubjectHolders {
  const subjectsOf = new Map<string, readonly string[]>();
  const keysOf = new Map<string, Set<string>>();
  const release = (key: string, name: string, sighting: Sighting): void => {
    const keys = keysOf.get(name);
    keys?.delete(key);
    if (keys === undefined || keys.size > 0) return;
    keysOf.delete(name);
    place.note(name, false, sighting);
  };
  const put: SubjectHolders['put'] = (key, subjects, sighting) => {
    const before = subjectsOf.get(key) ?? [];
    const names = subjects.map(({ name }) => name);
    if (names.length === 0) subjectsOf.delete(key);
    else subjectsOf.set(key, names);
    for (const name of before) if (!names.includes(name)) release(key, name, sighting);
    for (const { name, detail } of subjects) {
      keysOf.set(name, (keysOf.get(name) ?? new Set()).add(key));
      place.note(name, true, { ...sighting, detail });
    }
  };
  const remove: SubjectHolders['remove'] = (key, sighting) => {
    put(key, [], sighting);
  };
  return {
    put,
    remove,
    replace: (all, sighting) => {
      for (const key of [...subjectsOf.keys()]) if (!all.has(key)) remove(key, sighting);
      for (const [key, subjects] of all) put(key, subjects, sighting);
    },
  };
}
