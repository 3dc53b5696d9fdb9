/**
 * The smallest measured value that at least `share` (0…1) of all values do not exceed (nearest
 * rank): a value that really occurred, never one between two. Undefined without values.
 */
export function percentile(sorted: readonly number[], share: number): number | undefined {
  if (sorted.length === 0) return undefined;
  const rank = Math.max(1, Math.ceil(share * sorted.length));
  return sorted[Math.min(rank, sorted.length) - 1];
}

/** The figures by which we describe a set of samples. */
export interface Quantiles {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
  readonly samples: number;
}

/** Quantiles of finite values; undefined when there are none. */
export function quantiles(values: readonly number[]): Quantiles | undefined {
  const sorted = values.filter((value) => Number.isFinite(value)).sort((a, b) => a - b);
  const max = sorted.at(-1);
  if (max === undefined) return undefined;
  const at = (share: number): number => percentile(sorted, share) ?? max;
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99), max, samples: sorted.length };
}
