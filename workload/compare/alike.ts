import type { RunSeries } from './series.js';

/** Why two runs must be compared with care, a sentence each; empty for runs of one kind. */
export function unlike(before: RunSeries, after: RunSeries): readonly string[] {
  const differences = [
    ['scenario', before.scenario, after.scenario],
    ['target', before.target, after.target],
    ['engine', before.engine, after.engine],
    ['number of clusters', String(before.clusters.size), String(after.clusters.size)],
  ] as const;
  return differences.flatMap(([what, one, other]) =>
    one === other
      ? []
      : [`not like with like: ${what} ${one || '(none)'} and ${other || '(none)'}`],
  );
}

/** Lines of either run that could not be read. */
export function troubles(before: RunSeries, after: RunSeries): readonly string[] {
  return [before, after].flatMap(({ run, problems }) =>
    problems.map((problem) => `rows of ${run || 'a run'}, ${problem}`),
  );
}
