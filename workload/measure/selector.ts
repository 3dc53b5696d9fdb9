import type { MeasurementQuery, MeasurementSource } from '../../model/measurement-spec.js';
import type { Milliseconds } from '../../model/quantity.js';

/** How a Prometheus tells the series of one component of one cluster from all others. */
export interface SeriesSelection {
  /** Matchers without braces, such as `cluster="mesh-001",component="etcd"`; may be empty. */
  matchersOf(source: MeasurementSource): string;
}

/** Our own Prometheus: `cluster` and `component` are stamped by us on every target. */
export function stampedSelection(cluster: string): SeriesSelection {
  return { matchersOf: (source) => `cluster="${cluster}",component="${source}"` };
}

/**
 * A Prometheus inside the cluster that it watches, with targets labelled the way ClusterLoader2 and
 * its PodMonitors do. Names that only one component exports need no matcher.
 * @see data/measurements.md §2
 */
export const inClusterSelection: SeriesSelection = {
  matchersOf: (source) => IN_CLUSTER[source] ?? '',
};

const IN_CLUSTER: Readonly<Partial<Record<MeasurementSource, string>>> = {
  'kube-apiserver': 'endpoint="apiserver"',
  etcd: 'pod!~"clustermesh-apiserver-.*"',
  'mesh-etcd': 'pod=~"clustermesh-apiserver-.*"',
};

/** What an expression is rendered for. */
export interface RenderTarget {
  readonly selection: SeriesSelection;
  readonly source: MeasurementSource;
  /** Length of the window, as text: `90000ms`, or ClusterLoader2's `%v`. */
  readonly window: string;
  /** @default 1 */
  readonly scale?: number | undefined;
}

/** `90000ms`: a window's length as PromQL takes it. */
export function windowText(length: Milliseconds): string {
  return `${Math.max(1, Math.round(length))}ms`;
}

/** `metric{where,matchers}`. */
export function selectorText(
  metric: string,
  where: string | undefined,
  { selection, source }: Pick<RenderTarget, 'selection' | 'source'>,
): string {
  const parts = [where ?? '', selection.matchersOf(source)].filter((part) => part !== '');
  return `${metric}{${parts.join(',')}}`;
}

/**
 * A query as one PromQL expression at the end of its window: for ClusterLoader2 and for people with a
 * Prometheus of their own. Counters and histograms come out as `increase`, which extrapolates; our
 * own engine computes them from raw samples instead.
 */
export function renderExpression(query: MeasurementQuery, target: RenderTarget): string {
  const expression = plainExpression(query, target);
  const { scale = 1 } = target;
  return scale === 1 ? expression : `(${expression}) * ${scale}`;
}

function plainExpression(query: MeasurementQuery, target: RenderTarget): string {
  const { window } = target;
  switch (query.kind) {
    case 'promql':
      return query.expr
        .replaceAll('$selector', target.selection.matchersOf(target.source))
        .replaceAll('$window', window);
    case 'counter': {
      const series = selectorText(query.metric, query.where, target);
      const group = joined(query.across ?? 'sum', query.by ?? []);
      if (query.take === 'increase') return group(`increase(${series}[${window}])`);
      if (query.take === 'rate') return group(`rate(${series}[${window}])`);
      return `max_over_time(${group(`rate(${series}[1m])`)}[${window}:])`;
    }
    case 'gauge': {
      const series = selectorText(query.metric, query.where, target);
      const group = joined(query.across, query.by ?? []);
      return query.first === 'series'
        ? `${query.over}_over_time(${group(series)}[${window}:])`
        : group(`${query.over}_over_time(${series}[${window}])`);
    }
    case 'histogram':
      return histogramExpression(query, target);
  }
}

function histogramExpression(
  query: Extract<MeasurementQuery, { kind: 'histogram' }>,
  target: RenderTarget,
): string {
  const grown = (suffix: string, where = query.where): string =>
    `increase(${selectorText(`${query.metric}_${suffix}`, where, target)}[${target.window}])`;
  const by = query.by ?? [];
  const sum = joined('sum', by);
  if (typeof query.take === 'object') {
    const buckets = joined('sum', ['le', ...by])(grown('bucket'));
    return `histogram_quantile(${query.take.quantile}, ${buckets})`;
  }
  if (query.take === 'count') return sum(grown('count'));
  if (query.take === 'mean') return `${sum(grown('sum'))} / ${sum(grown('count'))}`;
  const finite = [query.where ?? '', 'le!="+Inf"'].filter((part) => part !== '').join(',');
  const last = joined('max', by)(joined('sum', ['le', ...by])(grown('bucket', finite)));
  return `1 - ${last} / ${sum(grown('count'))}`;
}

function joined(
  across: NonNullable<Extract<MeasurementQuery, { kind: 'gauge' }>['across']>,
  by: readonly string[],
) {
  const labels = by.length === 0 ? '' : ` by (${by.join(', ')}) `;
  return (inner: string): string =>
    typeof across === 'string'
      ? `${across}${labels}(${inner})`
      : `quantile${labels}(${across.quantile}, ${inner})`;
}
