import { timeText } from '../format.js';
import type { ReportSeries } from '../report-model.js';
import { drawing, element, label } from './svg.js';

/** Lines across the distribution: the tool's own floor, and the limit of a rule. */
export interface EcdfMark {
  /** Milliseconds. */
  readonly at: number;
  readonly text: string;
  readonly kind: 'floor' | 'limit';
}

/** So many series have a colour of their own. */
export const SERIES_COLOURS = 4;

/**
 * The share of probe observations that were seen within a time, on a logarithmic axis: a step for
 * each. Observations that were never seen keep a curve below 100 %.
 */
export function ecdf(
  series: readonly ReportSeries[],
  marks: readonly EcdfMark[],
  width: number,
): string {
  const plot = plane(series, marks, width);
  return drawing(
    width,
    plot.bottom + 30,
    ...[0, 0.25, 0.5, 0.75, 1].flatMap((share) => shareLine(share, plot)),
    ...timeTicks(plot).flatMap((time) => timeTick(time, plot)),
    ...marks.flatMap((mark) => markLine(mark, plot)),
    ...series.map((one, index) =>
      element('path', { class: `line series-${index % SERIES_COLOURS}`, d: stepPath(one, plot) }),
    ),
  );
}

interface Plane {
  readonly low: number;
  readonly high: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  x(time: number): number;
  y(share: number): number;
}

/** A logarithm needs a start: a hundredth of a millisecond is below anything a network does. */
const LEAST_TIME = 0.01;

function plane(series: readonly ReportSeries[], marks: readonly EcdfMark[], width: number): Plane {
  const ends = series.flatMap(({ times }) => [times[0] ?? [], times.at(-1) ?? []].flat());
  const all = [...ends, ...marks.map(({ at }) => at)].map((time) => Math.max(time, LEAST_TIME));
  const low = Math.min(...all, 1e6) / 1.3;
  const high = Math.max(...all, low * 4) * 1.3;
  const [left, right, top, bottom] = [44, width - 14, 24, width < 500 ? 200 : 250];
  const span = Math.log(high / low);
  return {
    low,
    high,
    left,
    right,
    top,
    bottom,
    x: (time) => left + (Math.log(Math.max(time, LEAST_TIME) / low) / span) * (right - left),
    y: (share) => bottom - share * (bottom - top),
  };
}

function shareLine(share: number, plot: Plane): readonly string[] {
  const y = plot.y(share);
  return [
    element('line', { class: 'grid', x1: plot.left, x2: plot.right, y1: y, y2: y }),
    label(`${share * 100} %`, { x: plot.left - 7, y: y + 4, class: 'quiet', 'text-anchor': 'end' }),
  ];
}

/** 1, 2 and 5 of each decade, or fewer where they would touch. */
function timeTicks({ low, high, left, right }: Plane): readonly number[] {
  const decades = Array.from({ length: 10 }, (_, index) => 10 ** (index - 2));
  const room = (right - left) / 52;
  const candidates = [[1, 2, 5], [1, 3], [1]].map((mantissas) =>
    decades
      .flatMap((decade) => mantissas.map((mantissa) => decade * mantissa))
      .filter((time) => time >= low && time <= high),
  );
  return candidates.find((ticks) => ticks.length <= room) ?? candidates.at(-1) ?? [];
}

function timeTick(time: number, plot: Plane): readonly string[] {
  const x = plot.x(time);
  return [
    element('line', { class: 'grid', x1: x, x2: x, y1: plot.bottom, y2: plot.bottom + 4 }),
    label(timeText(time), { x, y: plot.bottom + 18, class: 'quiet', 'text-anchor': 'middle' }),
  ];
}

function markLine({ at, text, kind }: EcdfMark, plot: Plane): readonly string[] {
  const x = plot.x(at);
  const anchor = x > (plot.left + plot.right) / 2 ? 'end' : 'start';
  return [
    element('line', { class: kind, x1: x, x2: x, y1: plot.top - 6, y2: plot.bottom }),
    label(text, { x, y: plot.top - 11, class: `${kind}-ink`, 'text-anchor': anchor }),
  ];
}

function stepPath({ times, asked }: ReportSeries, plot: Plane): string {
  const [first] = times;
  if (first === undefined) return '';
  const moves: string[] = [];
  let drawnAt = plot.x(first);
  for (const [index, time] of times.entries()) {
    const x = plot.x(time);
    // Thousands of samples share a pixel: a step is drawn where it can be seen.
    if (x - drawnAt < LEAST_STEP && index < times.length - 1) continue;
    moves.push(`H${tenth(x)}V${tenth(plot.y((index + 1) / asked))}`);
    drawnAt = x;
  }
  return `M${tenth(plot.x(first))} ${tenth(plot.y(0))}${moves.join('')}H${tenth(plot.right)}`;
}

/** Pixels. */
const LEAST_STEP = 0.4;

function tenth(value: number): string {
  return String(Math.round(value * 10) / 10);
}
