/** Observations up to and including `upTo`, as a cumulative histogram counts them. */
export interface Bucket {
  /** `Infinity` for the last. */
  readonly upTo: number;
  readonly count: number;
}

/** A quantile of a histogram. `saturated`: it lies beyond the last finite bucket, whose edge is given. */
export interface HistogramQuantile {
  readonly value: number;
  readonly saturated: boolean;
}

/**
 * The quantile of cumulative buckets, linear within a bucket, as PromQL's `histogram_quantile` gives
 * it. Undefined without any observation or without a finite bucket.
 */
export function histogramQuantile(
  buckets: readonly Bucket[],
  quantile: number,
): HistogramQuantile | undefined {
  const sorted = cumulative(buckets);
  const total = sorted.at(-1)?.count ?? 0;
  const finite = sorted.filter(({ upTo }) => Number.isFinite(upTo));
  const lastEdge = finite.at(-1)?.upTo;
  if (total <= 0 || lastEdge === undefined) return undefined;
  const rank = quantile * total;
  const index = finite.findIndex(({ count }) => count >= rank);
  const bucket = finite[index];
  if (bucket === undefined) return { value: lastEdge, saturated: true };
  const below = finite[index - 1] ?? { upTo: Math.min(0, bucket.upTo), count: 0 };
  const inBucket = bucket.count - below.count;
  const share = inBucket <= 0 ? 0 : (rank - below.count) / inBucket;
  return { value: below.upTo + (bucket.upTo - below.upTo) * share, saturated: false };
}

/** The share of observations beyond the last finite bucket; undefined without any observation. */
export function overflowShare(buckets: readonly Bucket[]): number | undefined {
  const sorted = cumulative(buckets);
  const total = sorted.at(-1)?.count ?? 0;
  if (total <= 0) return undefined;
  const finite = sorted.findLast(({ upTo }) => Number.isFinite(upTo))?.count ?? 0;
  return (total - finite) / total;
}

/**
 * Sorted, and never falling: the buckets of one histogram may come from scrapes of different series,
 * and a count that falls by a rounding would turn a quantile upside down.
 */
function cumulative(buckets: readonly Bucket[]): readonly Bucket[] {
  let highest = 0;
  return [...buckets]
    .sort((a, b) => a.upTo - b.upTo)
    .map(({ upTo, count }) => {
      highest = Math.max(highest, count);
      return { upTo, count: highest };
    });
}
