import { timeText } from '../format.js';
import type { ReportLink } from '../report-model.js';
import { heatTiles } from './heat-tiles.js';
import { drawing, element, label, tip } from './svg.js';

/** Shades of the heat map, light to strong. */
export const HEAT_STEPS = 6;

/** Up to so many clusters each cell carries its number; beyond, there is no room for one. */
const NUMBERED = 12;

/** Beyond so many clusters cells are drawn together, without what a pointer shows. */
const SINGLE = 24;

/** Source × peer: how long changes of a source took to be seen in a peer (p99). */
export function heatMap(
  roles: readonly string[],
  links: readonly ReportLink[],
  width: number,
): string {
  const [left, top] = [74, 44];
  const cell = Math.max(2, Math.min(76, (width - left - 2) / Math.max(1, roles.length)));
  const row = Math.min(cell, Math.max(cell * 0.6, 34));
  const numbered = roles.length <= NUMBERED && cell >= 38;
  const step = heatStep(links);
  const places = new Map(roles.map((role, index) => [role, index]));
  const grid = { left, top, cell, row };
  const placed = links.flatMap((link) => {
    const [y, x] = [places.get(link.source), places.get(link.target)];
    return x === undefined || y === undefined ? [] : [{ link, x, y }];
  });
  const cells =
    roles.length > SINGLE
      ? [
          heatTiles(
            placed.map(({ link, x, y }) => ({
              column: x,
              row: y,
              shade: shadeOf(link, step(link)),
            })),
            grid,
          ),
        ]
      : placed.map(({ link, x, y }) => {
          const box = { x: left + x * cell, y: top + y * row, width: cell, height: row };
          return heatCell(link, box, step(link), numbered);
        });
  return drawing(
    width,
    top + row * roles.length + 6,
    ...axisNames(left, top),
    ...cells,
    ...names(roles, grid),
  );
}

/**
 * The shade of a link, 0…5, equal steps of the logarithm between the fastest and the slowest pair;
 * undefined: nothing was seen.
 */
export function heatStep(links: readonly ReportLink[]): (link: ReportLink) => number | undefined {
  const all = links.flatMap((link) => link.times?.p99 ?? []).map((time) => Math.max(time, 0.01));
  const low = Math.log(Math.min(...all));
  const span = Math.max(Math.log(Math.max(...all)) - low, Math.log(2));
  return ({ times }) => {
    if (times === undefined) return undefined;
    const share = (Math.log(Math.max(times.p99, 0.01)) - low) / span;
    return Math.min(HEAT_STEPS - 1, Math.floor(share * HEAT_STEPS));
  };
}

function shadeOf({ asked }: ReportLink, step: number | undefined): string {
  if (step !== undefined) return `heat-${step}`;
  return asked === 0 ? 'heat-none' : 'heat-lost';
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function heatCell(link: ReportLink, box: Box, step: number | undefined, numbered: boolean): string {
  const { x, y, width, height } = box;
  const gap = width > 8 ? 1 : 0;
  const state = shadeOf(link, step);
  const value =
    link.times === undefined ? (link.asked === 0 ? '' : 'lost') : timeText(link.times.p99);
  const rect = { x: x + gap, y: y + gap, width: width - 2 * gap, height: height - 2 * gap };
  if (!numbered) {
    const small = element('rect', { ...rect, class: state });
    return width > 8
      ? element('g', {}, small, tip(`${link.source} → ${link.target}: ${value}`))
      : small;
  }
  const at = { x: x + width / 2, y: y + height / 2 + 4, 'text-anchor': 'middle' };
  const [number = '', unit = ''] = value.split(' ');
  const texts =
    width < 60
      ? [
          label(number, { ...at, y: at.y - 5, class: `${state}-ink` }),
          label(unit, { ...at, y: at.y + 8, class: `${state}-ink small` }),
        ]
      : [label(value, { ...at, class: `${state}-ink` })];
  const lost = `${link.seen} of ${link.asked} seen`;
  return element(
    'g',
    {},
    element('rect', { ...rect, rx: 3, class: state }),
    ...texts,
    tip(`${link.source} → ${link.target}: p99 ${value}, ${lost}`),
  );
}

function axisNames(left: number, top: number): readonly string[] {
  return [
    label('seen in →', { x: left, y: 12, class: 'quiet' }),
    label('from ↓', { x: left - 8, y: top - 10, class: 'quiet', 'text-anchor': 'end' }),
  ];
}

interface Grid {
  readonly left: number;
  readonly top: number;
  readonly cell: number;
  readonly row: number;
}

/** As many names as fit: every one, or every fifth, or every tenth. */
function names(roles: readonly string[], { left, top, cell, row }: Grid): readonly string[] {
  const short = cell < 62;
  const everyColumn = cell >= 26 ? 1 : Math.ceil(26 / cell);
  const everyRow = row >= 12 ? 1 : Math.ceil(12 / row);
  const text = (role: string) => (short ? (/\d+$/.exec(role)?.[0] ?? role) : role);
  return roles.flatMap((role, index) => [
    ...(index % everyColumn === 0
      ? [
          label(text(role), {
            x: left + (index + 0.5) * cell,
            y: top - 10,
            'text-anchor': 'middle',
          }),
        ]
      : []),
    ...(index % everyRow === 0
      ? [label(role, { x: left - 8, y: top + (index + 0.5) * row + 4, 'text-anchor': 'end' })]
      : []),
  ]);
}
