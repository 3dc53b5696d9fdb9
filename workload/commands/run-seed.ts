import { badSeed } from '../exec/errors.js';
import type { Random } from '../platform/random.js';

/** `--seed`, or one that nobody chose; it stands in the plan, so the run can be repeated. */
export function readSeed(text: string | undefined, random: Random): number {
  if (text === undefined) return random.integer(0, MOST);
  const seed = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(seed <= MOST)) throw badSeed(text, MOST);
  return seed;
}

/** The generator has 32 bits of state. */
const MOST = 2 ** 32 - 1;
