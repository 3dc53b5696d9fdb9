import type { Milliseconds } from '../../model/quantity.js';

/** `7.2 ms`, `340 ms`, `1.28 s`, `2 min 05 s`: three figures at most. */
export function timeText(milliseconds: Milliseconds): string {
  if (milliseconds < 999.5) return `${figures(milliseconds)} ms`;
  if (milliseconds < 120_000) return `${figures(milliseconds / 1000)} s`;
  const seconds = Math.round(milliseconds / 1000);
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  if (hours > 0) return `${hours} h ${String(minutes).padStart(2, '0')} min`;
  return `${minutes} min ${String(seconds % 60).padStart(2, '0')} s`;
}

/** A number with three figures and a thin space between thousands. */
export function figures(value: number): string {
  if (value !== 0 && (Math.abs(value) >= 1e15 || Math.abs(value) < 1e-4))
    return value.toExponential(1);
  const rounded = Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(3));
  const [whole = '', fraction] = String(rounded).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, '\u202F');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** A value of a row with its unit, as a person would write it. */
export function valueText(value: number, unit: string): string {
  if (unit === 'bytes') return `${figures(value / 1024 / 1024)} MiB`;
  if (unit === 's') return timeText(value * 1000);
  if (unit === 'ms') return timeText(value);
  if (unit === 'ratio') return `${figures(value * 100)} %`;
  return unit === '' || unit === '#' ? figures(value) : `${figures(value)} ${unit}`;
}

/** `2026-05-15 03:00 UTC`. */
export function momentText(instant: string): string {
  return `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`;
}

/** `1 cluster`, `3 clusters`. */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${figures(count)} ${count === 1 ? one : many}`;
}
