import { timeText } from '../format.js';
import type { ReportCluster, ReportLink } from '../report-model.js';
import { drawing, element, label, tip } from './svg.js';

interface Spot {
  readonly x: number;
  readonly y: number;
}

/** More clusters than this: only links that are not well are drawn, and names get short. Our choice. */
const MANY = 24;

/**
 * The clusters on a ring with their links: one arc per direction, so that a link which works one way
 * only is seen.
 */
export function meshMap(
  clusters: readonly ReportCluster[],
  links: readonly ReportLink[],
  width: number,
): string {
  const many = clusters.length > MANY;
  const height = heightOf(clusters.length, width);
  const spots = new Map(
    clusters.map(({ role }, index) => [role, spotOf(index, clusters.length, width, height)]),
  );
  const radius = many ? 7 : clusters.length > 10 ? 17 : 24;
  const drawn = many ? troubled(links).slice(0, MOST_TROUBLED) : links;
  return drawing(
    width,
    height,
    ...drawn.map((link) => arc(link, spots, radius)),
    ...clusters.map((cluster) =>
      node(cluster, spots, { radius, centre: height / 2, clusters: clusters.length }),
    ),
  );
}

function troubled(links: readonly ReportLink[]): readonly ReportLink[] {
  return links.filter((link) => ['bad', 'warn'].includes(linkState(link)));
}

/** More lines than this are a tangle that tells nothing. Our choice. */
const MOST_TROUBLED = 300;

/** How a link is: every probe seen, some, none, or no probe crossed it. */
export function linkState({ seen, asked }: ReportLink): 'good' | 'warn' | 'bad' | 'none' {
  if (asked === 0) return 'none';
  if (seen === 0) return 'bad';
  return seen < asked ? 'warn' : 'good';
}

function heightOf(clusters: number, width: number): number {
  if (clusters <= 2) return Math.min(130, width * 0.4);
  return Math.min(clusters <= 4 ? 320 : 460, width * 0.92);
}

function spotOf(index: number, count: number, width: number, height: number): Spot {
  if (count <= 2) {
    const share = count === 1 ? 0.5 : index === 0 ? 0.18 : 0.82;
    return { x: width * share, y: height / 2 };
  }
  const angle = (2 * Math.PI * index) / count - Math.PI / 2;
  const reach = { x: Math.min(width / 2 - 44, height * 0.6), y: height / 2 - 40 };
  return { x: width / 2 + reach.x * Math.cos(angle), y: height / 2 + reach.y * Math.sin(angle) };
}

function arc(link: ReportLink, spots: ReadonlyMap<string, Spot>, radius: number): string {
  const [from, to] = [spots.get(link.source), spots.get(link.target)];
  if (from === undefined || to === undefined) return '';
  const distance = Math.hypot(to.x - from.x, to.y - from.y);
  const [ux, uy] = [(to.x - from.x) / distance, (to.y - from.y) / distance];
  const bend = Math.min(26, distance * 0.12);
  const start = { x: from.x + ux * (radius + 3), y: from.y + uy * (radius + 3) };
  const end = { x: to.x - ux * (radius + 7), y: to.y - uy * (radius + 7) };
  const mid = { x: (start.x + end.x) / 2 - uy * bend, y: (start.y + end.y) / 2 + ux * bend };
  const path = `M${round(start)}Q${round(mid)} ${round(end)}`;
  const state = linkState(link);
  const times = link.times === undefined ? 'none seen' : `p50 ${timeText(link.times.p50)}`;
  return element(
    'g',
    { class: `link ${state}` },
    element('path', { d: path, fill: 'none' }),
    arrow(mid, end),
    tip(`${link.source} → ${link.target}: ${link.seen} of ${link.asked} probes seen, ${times}`),
  );
}

/** Drawn by hand: a shared marker would need an id that two drawings of one page share. */
function arrow(from: Spot, tipOf: Spot): string {
  const angle = Math.atan2(tipOf.y - from.y, tipOf.x - from.x);
  const corner = (turn: number) => ({
    x: tipOf.x - 7 * Math.cos(angle + turn),
    y: tipOf.y - 7 * Math.sin(angle + turn),
  });
  return element('path', {
    class: 'head',
    d: `M${round(tipOf)}L${round(corner(0.45))}L${round(corner(-0.45))}Z`,
  });
}

function node(
  { role, judgement }: ReportCluster,
  spots: ReadonlyMap<string, Spot>,
  ring: { readonly radius: number; readonly centre: number; readonly clusters: number },
): string {
  const { radius, centre, clusters } = ring;
  const many = clusters > MANY;
  const { x, y } = spots.get(role) ?? { x: 0, y: 0 };
  const number = /\d+$/.exec(role)?.[0].replace(/^0+(?=\d)/, '') ?? role;
  // Names stand outside the ring, where no link crosses them.
  const above = clusters > 2 && y < centre;
  const away = above ? -radius - 7 : radius + 15;
  const named = many
    ? []
    : [
        label(number, { x, y: y + 4.5, class: 'node-number', 'text-anchor': 'middle' }),
        label(role, { x, y: y + away, class: 'quiet halo', 'text-anchor': 'middle' }),
      ];
  return element(
    'g',
    { class: `node ${judgement.verdict}` },
    element('circle', { cx: x, cy: y, r: radius }),
    ...named,
    tip(`${role}: ${judgement.verdict}`),
  );
}

function round({ x, y }: Spot): string {
  return `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
}
