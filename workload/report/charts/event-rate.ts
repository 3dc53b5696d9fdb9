import { figures } from '../format.js';
import { drawing, element, label, tip } from './svg.js';

/** What one cluster was asked for and what it did in one phase. */
export interface ClusterRate {
  readonly cluster: string;
  readonly asked: number | null;
  readonly achieved: number | null;
  /** The highest rate within the time that `achieved` is the mean of. @default - not known */
  readonly peak?: number | undefined;
}

/** A limit across all clusters, in the unit of the rates. */
export interface RateLine {
  readonly perSecond: number;
  /** `ceiling`, `limit of kvstoremesh`. */
  readonly name: string;
}

/**
 * Achieved rate of each cluster as a bar, what was asked for as a tick on it, and the limiter's
 * ceiling as a line across all of them.
 */
export function eventRate(
  rates: readonly ClusterRate[],
  ceiling: RateLine | undefined,
  width: number,
): string {
  const left = 74;
  const right = rates.some(({ peak }) => peak !== undefined) ? 110 : 64;
  const top = ceiling === undefined ? 6 : 26;
  const row = rates.length > 24 ? 9 : rates.length > 8 ? 18 : 28;
  const bottom = top + row * rates.length;
  const values = rates.flatMap(({ asked, achieved, peak }) => [
    asked ?? 0,
    achieved ?? 0,
    peak ?? 0,
  ]);
  const most = Math.max(...values, ceiling?.perSecond ?? 0, 1e-9);
  const x = (value: number) => left + (value / most) * (width - left - right);
  const bars = rates.flatMap((rate, index) => bar(rate, top + index * row, row, x));
  const line =
    ceiling === undefined ? [] : ceilingLine(ceiling, x(ceiling.perSecond), { top, bottom, width });
  return drawing(width, bottom + 8, ...bars, ...line);
}

function bar(
  { cluster, asked, achieved, peak }: ClusterRate,
  y: number,
  row: number,
  x: (value: number) => number,
): readonly string[] {
  const start = x(0);
  const thick = Math.max(4, row * 0.5);
  const middle = y + row / 2;
  const weak = asked !== null && achieved !== null && achieved < asked * 0.9;
  const named = row >= 12;
  const value = valueOf(achieved, peak);
  const end = Math.max(x(achieved ?? 0), asked === null ? 0 : x(asked), x(peak ?? 0));
  const rect = (to: number, name?: string) =>
    element('rect', {
      class: name,
      x: start,
      y: middle - thick / 2,
      width: Math.max(0, x(to) - start),
      height: thick,
      rx: 2,
    });
  return [
    named ? label(cluster, { x: start - 8, y: middle + 4, 'text-anchor': 'end' }) : '',
    element(
      'g',
      { class: `bar ${weak ? 'weak' : 'well'}` },
      peak === undefined ? '' : rect(peak, 'peak'),
      rect(achieved ?? 0),
      tip(`${cluster}: ${value}${asked === null ? '' : `, asked ${figures(asked)}/s`}`),
    ),
    asked === null ? '' : askedTick(x(asked), middle, thick),
    named ? label(value, { x: end + 8, y: middle + 4, class: 'halo' }) : '',
  ];
}

function valueOf(achieved: number | null, peak: number | undefined): string {
  if (achieved === null) return 'unknown';
  const text = `${figures(achieved)}/s`;
  return peak === undefined ? text : `${text}, peak ${figures(peak)}`;
}

function askedTick(x: number, middle: number, thick: number): string {
  const [y1, y2] = [middle - thick / 2 - 3, middle + thick / 2 + 3];
  return element('line', { class: 'asked', x1: x, x2: x, y1, y2 });
}

function ceilingLine(
  { perSecond, name }: RateLine,
  at: number,
  { top, bottom, width }: { readonly top: number; readonly bottom: number; readonly width: number },
): readonly string[] {
  const late = at > width * 0.6;
  const anchor = late ? 'end' : 'start';
  return [
    element('line', { class: 'ceiling', x1: at, x2: at, y1: top - 4, y2: bottom + 4 }),
    label(`${name} ${figures(perSecond)}/s`, {
      x: late ? at + 4 : at,
      y: 14,
      class: 'limit-ink',
      'text-anchor': anchor,
    }),
  ];
}
