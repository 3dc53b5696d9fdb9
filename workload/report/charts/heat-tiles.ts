import { element } from './svg.js';

/** A cell of a map that is too fine for numbers. */
export interface Tile {
  readonly column: number;
  readonly row: number;
  readonly shade: string;
}

/**
 * Many cells as one path for each shade; neighbours in a row become one strip. Ten thousand
 * rectangles would be a megabyte; in units of the grid this is a tenth of it.
 */
export function heatTiles(
  tiles: readonly Tile[],
  grid: {
    readonly left: number;
    readonly top: number;
    readonly cell: number;
    readonly row: number;
  },
): string {
  const sorted = [...tiles].sort((a, b) => a.row - b.row || a.column - b.column);
  const paths = new Map<string, string[]>();
  let strip: { readonly first: Tile; length: number } | undefined;
  const close = (): void => {
    if (strip === undefined) return;
    const { first, length } = strip;
    const path = paths.get(first.shade) ?? [];
    path.push(`M${first.column} ${first.row}h${length}v1h-${length}z`);
    paths.set(first.shade, path);
  };
  for (const tile of sorted) {
    const follows =
      strip?.first.row === tile.row &&
      strip.first.shade === tile.shade &&
      strip.first.column + strip.length === tile.column;
    if (strip !== undefined && follows) {
      strip.length += 1;
      continue;
    }
    close();
    strip = { first: tile, length: 1 };
  }
  close();
  const { left, top, cell, row } = grid;
  const drawn = [...paths].map(([shade, parts]) =>
    element('path', { class: shade, d: parts.join('') }),
  );
  return element('g', { transform: `translate(${left} ${top}) scale(${cell} ${row})` }, ...drawn);
}
