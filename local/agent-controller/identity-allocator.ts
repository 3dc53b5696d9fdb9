import type { LabelSetKey } from './identity-labels.js';

/** The numbers that may be handed out, both ends included. */
export interface IdentityRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Who uses which label set, and which number stands for it. Pure bookkeeping: what is written to the
 * API server, and when an unused identity goes, is decided elsewhere.
 */
export interface IdentityAllocator {
  /** Takes over a number that the API server already has. */
  adopt(labels: LabelSetKey, id: number): 'adopted' | 'taken' | 'out-of-range';
  /** `user` uses `labels`; idempotent. Undefined when every number is taken. */
  hold(user: string, labels: LabelSetKey): number | undefined;
  /** `user` uses `labels` and nothing else any more; gives the label sets that lost their last user. */
  keepOnly(user: string, labels: LabelSetKey | undefined): readonly LabelSetKey[];
  /** Who uses a label set. */
  users(labels: LabelSetKey): readonly string[];
  /** The number of a label set, if it has one. */
  idOf(labels: LabelSetKey): number | undefined;
  /** Somebody else has this number: take another one for `labels`. Undefined when there is none. */
  renumber(labels: LabelSetKey): number | undefined;
  /** Frees the number of a label set without users; a set with users is left alone. */
  forget(labels: LabelSetKey): void;
  /** Every label set with a number. */
  known(): readonly LabelSetKey[];
}

/**
 * The range of a cluster: its id in the upper half, so that numbers are unique in the whole mesh.
 * @see GetMinimalAllocationIdentity in Cilium's pkg/identity; it starts at 0, we at 256, which keeps the
 * numbers of reserved identities free in the lower half as well
 */
export function identityRange(clusterId: number): IdentityRange {
  return { first: (clusterId << 16) + 256, last: (clusterId << 16) + 65_535 };
}

/** An allocator without any user. */
export function createIdentityAllocator(range: IdentityRange): IdentityAllocator {
  const taken = new Set<number>();
  const state: State = {
    range,
    taken,
    ids: new Map(),
    users: new Map(),
    held: new Map(),
    nextFree: roundRobin(range, taken),
  };
  return {
    adopt: (labels, id) => adopt(state, labels, id),
    hold: (user, labels) => hold(state, user, labels),
    keepOnly: (user, labels) => keepOnly(state, user, labels),
    users: (labels) => [...(state.users.get(labels) ?? [])],
    idOf: (labels) => state.ids.get(labels),
    // The old number stays taken: it belongs to whoever we met there.
    renumber: (labels) => (state.ids.has(labels) ? assign(state, labels) : undefined),
    forget: (labels) => {
      const id = state.ids.get(labels);
      if (id === undefined || state.users.has(labels)) return;
      state.ids.delete(labels);
      taken.delete(id);
    },
    known: () => [...state.ids.keys()],
  };
}

interface State {
  readonly range: IdentityRange;
  readonly taken: Set<number>;
  readonly ids: Map<LabelSetKey, number>;
  /** Who uses a label set; no entry for one without users. */
  readonly users: Map<LabelSetKey, Set<string>>;
  /** The same the other way round. */
  readonly held: Map<string, Set<LabelSetKey>>;
  readonly nextFree: ReturnType<typeof roundRobin>;
}

function adopt(
  { range, taken, ids, nextFree }: State,
  labels: LabelSetKey,
  id: number,
): 'adopted' | 'taken' | 'out-of-range' {
  if (!Number.isInteger(id) || id < range.first || id > range.last) return 'out-of-range';
  if (ids.get(labels) === id) return 'adopted';
  if (ids.has(labels) || taken.has(id)) return 'taken';
  ids.set(labels, id);
  taken.add(id);
  nextFree.startAfter(id);
  return 'adopted';
}

function hold(state: State, user: string, labels: LabelSetKey): number | undefined {
  const id = state.ids.get(labels) ?? assign(state, labels);
  if (id === undefined) return undefined;
  setOf(state.users, labels).add(user);
  setOf(state.held, user).add(labels);
  return id;
}

function keepOnly(
  state: State,
  user: string,
  labels: LabelSetKey | undefined,
): readonly LabelSetKey[] {
  const held = state.held.get(user);
  const others = [...(held ?? [])].filter((other) => other !== labels);
  const unused = others.filter((other) => {
    held?.delete(other);
    const users = state.users.get(other);
    users?.delete(user);
    return users?.size === 0 && state.users.delete(other);
  });
  if (held?.size === 0) state.held.delete(user);
  return unused;
}

function assign(state: State, labels: LabelSetKey): number | undefined {
  const id = state.nextFree();
  if (id === undefined) return undefined;
  state.taken.add(id);
  state.ids.set(labels, id);
  return id;
}

/**
 * Free numbers in turn: a number just freed comes last, so that a peer which still works through the
 * deletion does not see it with another meaning. `startAfter` moves the turn past an adopted number.
 */
function roundRobin(
  range: IdentityRange,
  taken: ReadonlySet<number>,
): (() => number | undefined) & { startAfter(id: number): void } {
  const size = range.last - range.first + 1;
  let cursor = 0;
  const next = (): number | undefined => {
    for (let step = 0; step < size; step += 1) {
      const id = range.first + ((cursor + step) % size);
      if (taken.has(id)) continue;
      cursor = (id - range.first + 1) % size;
      return id;
    }
    return undefined;
  };
  const startAfter = (id: number): void => {
    cursor = Math.max(cursor, (id - range.first + 1) % size);
  };
  return Object.assign(next, { startAfter });
}

function setOf<Key, Value>(map: Map<Key, Set<Value>>, key: Key): Set<Value> {
  const set = map.get(key) ?? new Set<Value>();
  map.set(key, set);
  return set;
}
