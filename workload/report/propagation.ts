import { directedPairs } from '../../model/cluster-identity.js';
import { quantiles } from '../../model/percentiles.js';
import { propagationOf, removalOf, type ProbeLine } from '../results/probe-line.js';
import type { ReportLink, ReportSeries } from './report-model.js';

/** Every directed pair of clusters with what its probes needed; also pairs that no probe crossed. */
export function linksOf(
  lines: readonly ProbeLine[],
  roles: readonly string[],
): readonly ReportLink[] {
  const byPair = new Map<string, ProbeLine[]>();
  for (const line of lines) {
    const key = `${line.src_cluster}\n${line.peer_cluster}`;
    const known = byPair.get(key);
    if (known === undefined) byPair.set(key, [line]);
    else known.push(line);
  }
  return directedPairs(roles).map(({ source, reader }) => {
    const own = byPair.get(`${source}\n${reader}`) ?? [];
    const times = own.flatMap((line) => propagationOf(line) ?? []);
    const { length: seen } = times;
    return { source, target: reader, times: quantiles(times), seen, asked: own.length };
  });
}

/** How long changes took to be seen, one series for each thing observed. */
export function appearedSeries(lines: readonly ProbeLine[]): readonly ReportSeries[] {
  return series(lines, propagationOf);
}

/** How long removals took to be seen; nothing when the probes did not look. */
export function removedSeries(lines: readonly ProbeLine[]): readonly ReportSeries[] {
  return series(
    lines.filter((line) => line.removal_ms !== undefined),
    removalOf,
  );
}

function series(
  lines: readonly ProbeLine[],
  timeOf: (line: ProbeLine) => number | undefined,
): readonly ReportSeries[] {
  const names = [...new Set(lines.map(nameOf))].sort();
  return names.map((name) => {
    const own = lines.filter((line) => nameOf(line) === name);
    const times = own.flatMap((line) => timeOf(line) ?? []).sort((a, b) => a - b);
    return { name, times, asked: own.length };
  });
}

function nameOf({ observe }: ProbeLine): string {
  return (observe ?? 'change').replaceAll('-', ' ');
}
