import { randomInt } from 'node:crypto';

/** Chance, as a port: seeded in runs and tests, so that the same seed gives the same run. */
export interface Random {
  /** A whole number in `[min, max]`, both included. */
  integer(min: number, max: number): number;
}

/** The machine's own chance; for port numbers and names, never for a workload. */
export const systemRandom: Random = {
  integer: (min, max) => randomInt(min, max + 1),
};

/** A reproducible sequence (mulberry32: 32 bits of state, enough to order a workload). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return { integer: (min, max) => min + Math.floor(next() * (max - min + 1)) };
}
