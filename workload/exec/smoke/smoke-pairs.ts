/** Who is asked from where: the answer has to come from `source`, as seen in `reader`. */
export interface SmokePair {
  readonly source: string;
  readonly reader: string;
}

/** The pairs of a smoke test. */
export interface SmokePairs {
  readonly pairs: readonly SmokePair[];
  /** True: not all pairs, but so many that every cluster is asked from two others and asks two others. */
  readonly spanning: boolean;
}

/**
 * Every ordered pair, as long as there are not too many. Above {@link MOST_FOR_ALL} clusters a set that
 * spans them: a ring in both directions, which finds every cluster that cannot be reached or reaches nobody.
 */
export function smokePairs(roles: readonly string[]): SmokePairs {
  if (roles.length <= MOST_FOR_ALL) {
    const pairs = roles.flatMap((source) =>
      roles.filter((reader) => reader !== source).map((reader) => ({ source, reader })),
    );
    return { pairs, spanning: false };
  }
  const pairs = roles.flatMap((role, index) => {
    const next = roles[(index + 1) % roles.length] ?? role;
    return [
      { source: role, reader: next },
      { source: next, reader: role },
    ];
  });
  return { pairs, spanning: true };
}

/** The issue's own bound: 380 pairs. */
export const MOST_FOR_ALL = 20;
