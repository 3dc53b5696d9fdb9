/** A number that carries its unit in its type, so that seconds are never handed to milliseconds. */
type Quantity<Unit extends string> = number & { readonly unit?: Unit };

/** A span of time in milliseconds. */
export type Milliseconds = Quantity<'ms'>;
/** A size in bytes. */
export type Bytes = Quantity<'B'>;
/** A rate: events per second. */
export type PerSecond = Quantity<'1/s'>;

export const MIB: Bytes = 1024 * 1024;
export const GIB: Bytes = 1024 * MIB;

const UNIT_MILLISECONDS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** What {@link parseDuration} gives: the duration, or why the text is not one. */
export type ParsedDuration =
  | { readonly ok: true; readonly milliseconds: Milliseconds }
  | { readonly ok: false; readonly reason: string };

/** Reads `90s`, `10m`, `2h`, `500ms`. A bare number is refused: its unit would be a guess. */
export function parseDuration(text: string): ParsedDuration {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text.trim());
  if (match === null) {
    const bare = /^\d+(\.\d+)?$/.test(text.trim());
    return { ok: false, reason: bare ? `"${text}" has no unit` : `"${text}" is not a duration` };
  }
  const unit = match[2] as keyof typeof UNIT_MILLISECONDS;
  return { ok: true, milliseconds: Number(match[1]) * UNIT_MILLISECONDS[unit] };
}

/** `850 ms`, `12.3 s`, `4 min 05 s`, for people. */
export function durationText(milliseconds: Milliseconds): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 120_000) return `${(milliseconds / 1_000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1_000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}

/** `640 MiB`, `1.2 GiB`, for people. */
export function bytesText(bytes: Bytes): string {
  return bytes < GIB ? `${Math.round(bytes / MIB)} MiB` : `${(bytes / GIB).toFixed(1)} GiB`;
}
