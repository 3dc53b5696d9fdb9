import type { Milliseconds } from '../../model/quantity.js';

/** `90s`, or `1500ms` where seconds would not be whole: a duration as Go reads it. Never zero. */
export function goDuration(milliseconds: Milliseconds): string {
  const whole = Math.max(1, Math.ceil(milliseconds));
  return whole % 1_000 === 0 ? `${whole / 1_000}s` : `${whole}ms`;
}
