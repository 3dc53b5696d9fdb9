import type { Across, GaugeQuery } from '../../model/measurement-spec.js';

/** Joins the values of several series. Undefined for none: a sum of nothing is no 0. */
export function joinAcross(values: readonly number[], across: Across): number | undefined {
  if (values.length === 0) return undefined;
  if (typeof across === 'object') return quantileOf(values, across.quantile);
  return REDUCE[across](values);
}

/** Reduces the samples of one series over time. Undefined for none. */
export function reduceOver(
  values: readonly number[],
  over: GaugeQuery['over'],
): number | undefined {
  if (values.length === 0) return undefined;
  return over === 'last' ? values.at(-1) : REDUCE[over](values);
}

/**
 * The quantile between the values, linear between neighbours, as PromQL's `quantile` gives it. Over
 * few series it is close to the largest.
 */
export function quantileOf(values: readonly number[], quantile: number): number | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  const rank = quantile * (sorted.length - 1);
  const low = sorted[Math.floor(rank)];
  const high = sorted[Math.ceil(rank)];
  if (low === undefined || high === undefined) return undefined;
  return low + (high - low) * (rank - Math.floor(rank));
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

const REDUCE = {
  sum,
  min: (values: readonly number[]) => values.reduce((a, b) => Math.min(a, b)),
  max: (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b)),
  avg: (values: readonly number[]) => sum(values) / values.length,
};
