import { z } from 'zod';
import { parseDuration, type Milliseconds } from './quantity.js';

/** How durations look in files: a number and its unit. A bare number is refused. */
export const DURATION_PATTERN = /^\d+(\.\d+)?(ms|s|m|h)$/;

/** A duration as text, such as `90s`; not yet a number. */
export const durationTextSchema = z
  .string({ error: 'a duration with its unit, such as 30s' })
  .regex(DURATION_PATTERN, { error: 'a duration with its unit, such as 30s, 10m or 500ms' });

/** In files `30s`, in memory milliseconds. Written back as the largest unit that divides it. */
export const durationCodec = z.codec(durationTextSchema, z.number().min(0), {
  decode: (text): Milliseconds => {
    const parsed = parseDuration(text);
    return parsed.ok ? parsed.milliseconds : Number.NaN;
  },
  encode: (milliseconds) => fileDuration(milliseconds),
});

/** `90000` as `90s`: exact, for files. */
export function fileDuration(milliseconds: Milliseconds): string {
  const unit = UNITS.find(({ size }) => milliseconds % size === 0 && milliseconds >= size);
  return unit === undefined ? `${milliseconds}ms` : `${milliseconds / unit.size}${unit.name}`;
}

const UNITS = [
  { name: 'h', size: 3_600_000 },
  { name: 'm', size: 60_000 },
  { name: 's', size: 1_000 },
] as const;
