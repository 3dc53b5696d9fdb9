import type { Milliseconds } from '../../model/quantity.js';
import type { Random } from '../platform/random.js';

/** `20260515T020000Z-first-look-k3xq`: sorts by time, and two of one second still differ. */
export function runId(scenario: string, now: Milliseconds, random: Random): string {
  const stamp = new Date(now)
    .toISOString()
    .replace(/[-:]/g, '')
    .replace(/\.\d+Z$/, 'Z');
  const tail = Array.from({ length: 4 }, () => BASE32.charAt(random.integer(0, 31))).join('');
  return `${stamp}-${scenario}-${tail}`;
}

/** RFC 4648, in small letters. */
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
