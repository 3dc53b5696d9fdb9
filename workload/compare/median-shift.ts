/** How much paired values moved, by figures that single outliers cannot spoil. */
export interface MedianShift {
  /** Median of before and of after, each over the pairs. */
  readonly before: number;
  readonly after: number;
  /** Median of the differences (after − before). */
  readonly shift: number;
  readonly pairs: number;
  /** Holds the true median difference with 95 % or more; undefined below 6 pairs, where nothing can. */
  readonly interval: { readonly low: number; readonly high: number } | undefined;
  /** Probability of such a one-sided lot of differences if nothing had changed (sign test, two-sided). */
  readonly chance: number;
}

/**
 * Median difference of pairs with a confidence interval that assumes nothing of their distribution:
 * latencies have long tails, so a mean with a standard deviation would see changes where there are
 * none. The interval lies between two order statistics of the differences. Undefined without pairs.
 */
export function medianShift(
  pairs: readonly (readonly [before: number, after: number])[],
): MedianShift | undefined {
  const [before, after, shift] = [
    median(pairs.map(([one]) => one)),
    median(pairs.map(([, other]) => other)),
    median(pairs.map(([one, other]) => other - one)),
  ];
  if (before === undefined || after === undefined || shift === undefined) return undefined;
  const differences = pairs.map(([one, other]) => other - one).sort((a, b) => a - b);
  const interval = intervalOf(differences);
  return { before, after, shift, pairs: pairs.length, interval, chance: signTest(differences) };
}

/** The value in the middle, or the mean of the two there; undefined without values. */
export function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  return upper === undefined || lower === undefined ? undefined : lower + (upper - lower) / 2;
}

/**
 * Which of many findings stay when 5 % of those that stay may be false (Benjamini and Hochberg): of
 * 400 values that did not change, 20 would look as if at 5 % each.
 */
export function stillSure(chances: readonly number[]): readonly boolean[] {
  const sorted = [...chances].sort((a, b) => a - b);
  const limit = sorted.findLast((one, index) => one <= (FALSE_SHARE * (index + 1)) / sorted.length);
  return chances.map((one) => limit !== undefined && one <= limit);
}

/** Conventional, not measured. */
const FALSE_SHARE = 0.05;
const CONFIDENCE = 0.95;

/** The narrowest pair of order statistics, as many from below as from above, that is sure enough. */
function intervalOf(sorted: readonly number[]): MedianShift['interval'] {
  const count = sorted.length;
  let outside = 0;
  let from = -1;
  for (let k = 0; k < count / 2; k++) {
    outside += 2 * coinFlips(count, k);
    if (outside > 1 - CONFIDENCE) break;
    from = k;
  }
  const [low, high] = [sorted[from], sorted[count - 1 - from]];
  return from < 0 || low === undefined || high === undefined ? undefined : { low, high };
}

function signTest(differences: readonly number[]): number {
  const moved = differences.filter((one) => one !== 0);
  const up = moved.filter((one) => one > 0).length;
  const fewer = Math.min(up, moved.length - up);
  let chance = 0;
  for (let k = 0; k <= fewer; k++) chance += 2 * coinFlips(moved.length, k);
  return Math.min(1, chance);
}

/** Probability of `heads` heads in `count` flips of a fair coin. */
function coinFlips(count: number, heads: number): number {
  let logarithm = -count * Math.LN2;
  for (let k = 1; k <= heads; k++) logarithm += Math.log((count - heads + k) / k);
  return Math.exp(logarithm);
}
