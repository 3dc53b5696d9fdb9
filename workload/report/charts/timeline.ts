import { timeText } from '../format.js';
import type { ReportCluster, ReportMark } from '../report-model.js';
import { drawing, element, label, tip } from './svg.js';

/** Kinds of phase that have a colour of their own; all others look like `hold`. */
export const PHASE_KINDS = ['load', 'warm-up', 'burst', 'hold', 'settle', 'delete'] as const;

/** When which phase ran on which cluster, with faults as marks. */
export function timeline(
  clusters: readonly ReportCluster[],
  marks: readonly ReportMark[],
  width: number,
): string {
  const range = timeRange(clusters, marks);
  const row = clusters.length > 24 ? 6 : clusters.length > 8 ? 16 : 26;
  const left = 74;
  const top = 8;
  const bottom = top + row * clusters.length;
  const x = (at: number) =>
    left + ((at - range.start) / Math.max(1, range.end - range.start)) * (width - left - 12);
  const lanes = clusters.flatMap((cluster, index) => lane(cluster, top + index * row, row, x));
  const ticks = tickTimes(range.end - range.start, width < 500 ? 4 : 8).flatMap((offset) => [
    element('line', {
      class: 'grid',
      x1: x(range.start + offset),
      x2: x(range.start + offset),
      y1: top,
      y2: bottom + 4,
    }),
    label(offset === 0 ? '0' : timeText(offset), {
      x: x(range.start + offset),
      y: bottom + 18,
      class: 'quiet',
      'text-anchor': offset === 0 ? 'start' : 'middle',
    }),
  ]);
  const faults = marks.flatMap((mark) => [
    element(
      'g',
      { class: 'mark' },
      element('line', { x1: x(mark.at), x2: x(mark.at), y1: top - 4, y2: bottom + 4 }),
      tip(`${mark.text} ${mark.cluster ?? ''}`),
    ),
  ]);
  return drawing(width, bottom + 26, ...ticks, ...lanes, ...faults);
}

/** First and last moment that the timeline shows, milliseconds since 1970. */
export function timeRange(
  clusters: readonly ReportCluster[],
  marks: readonly ReportMark[],
): { readonly start: number; readonly end: number } {
  const times = [
    ...clusters.flatMap(({ phases }) =>
      phases.flatMap(({ start, end }) => [Date.parse(start), Date.parse(end)]),
    ),
    ...marks.map((mark) => mark.at),
  ].filter((time) => Number.isFinite(time));
  return { start: Math.min(...times), end: Math.max(...times) };
}

function lane(
  { role, phases }: ReportCluster,
  y: number,
  height: number,
  x: (at: number) => number,
): readonly string[] {
  const name =
    height >= 12 ? [label(role, { x: 66, y: y + height / 2 + 4, 'text-anchor': 'end' })] : [];
  if (phases.length === 0) {
    const text =
      height >= 12
        ? label('no phase was recorded', { x: 80, y: y + height / 2 + 4, class: 'quiet' })
        : '';
    return [...name, text];
  }
  const bars = phases.map(({ name: phase, kind, start, end }) => {
    const [from, to] = [x(Date.parse(start)), x(Date.parse(end))];
    const wide = Math.max(1.5, to - from - 1);
    const box = { x: from, y: y + 2, width: wide, height: height - 4, rx: height > 12 ? 3 : 1 };
    const lasted = timeText(Date.parse(end) - Date.parse(start));
    const fits = height >= 20 && wide > phase.length * 7 + 8;
    const ink = fits
      ? [label(phase, { x: from + 6, y: y + height / 2 + 4, class: 'phase-ink' })]
      : [];
    const known = PHASE_KINDS.find((one) => one === kind) ?? 'hold';
    return element(
      'g',
      { class: `phase ${known}` },
      element('rect', box),
      ...ink,
      tip(`${role}: ${phase} (${kind}), ${lasted}`),
    );
  });
  return [...name, ...bars];
}

/** Round distances that a person would choose. */
const STEPS_SECONDS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400];

function tickTimes(span: number, most: number): readonly number[] {
  const step = (STEPS_SECONDS.find((s) => s * 1000 * most >= span) ?? 28_800) * 1000;
  return Array.from({ length: Math.floor(span / step) + 1 }, (_, index) => index * step);
}
