import { drawing, element, tip } from './svg.js';

/**
 * A small strip for a table cell: one dot per cluster between the least and the largest value, so
 * that an outlier is seen. Zero is the left end.
 */
export function spread(
  values: readonly { readonly cluster: string; readonly value: number }[],
  text: (value: number) => string,
): string {
  const width = 110;
  const height = 16;
  const most = Math.max(...values.map(({ value }) => value), 1e-12);
  const x = (value: number) => 5 + (Math.max(0, value) / most) * (width - 10);
  const axis = element('line', {
    class: 'grid',
    x1: 5,
    x2: width - 5,
    y1: height / 2,
    y2: height / 2,
  });
  const dots = values.map(({ cluster, value }) =>
    element(
      'g',
      {},
      element('circle', { class: 'dot', cx: x(value), cy: height / 2, r: 3.5 }),
      ...(values.length > 24 ? [] : [tip(`${cluster}: ${text(value)}`)]),
    ),
  );
  return drawing(width, height, axis, ...dots);
}
