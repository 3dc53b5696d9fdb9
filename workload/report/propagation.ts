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

/** How long changes took to be seen, one series for each probe and thing observed. */
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

/** Probes in the order in which they were made: those of an idle mesh come before those of a burst. */
function series(
  lines: readonly ProbeLine[],
  timeOf: (line: ProbeLine) => number | undefined,
): readonly ReportSeries[] {
  const found = new Map<string, ReportSeries & { times: number[]; asked: number }>();
  const inOrder = [...lines].sort((a, b) => (a.t_apply_ns ?? 0) - (b.t_apply_ns ?? 0));
  for (const line of inOrder) {
    const [probe, name] = [line.probe ?? '', (line.observe ?? 'change').replaceAll('-', ' ')];
    const key = `${probe}\n${name}`;
    const own = found.get(key) ?? { probe, name, times: [], asked: 0 };
    own.asked += 1;
    const time = timeOf(line);
    if (time !== undefined) own.times.push(time);
    found.set(key, own);
  }
  const all = [...found.values()].map((one) => ({ ...one, times: one.times.sort(ascending) }));
  const probes = [...new Set(all.map(({ probe }) => probe))];
  return probes.flatMap((probe) => all.filter((one) => one.probe === probe).sort(byName));
}

function ascending(one: number, other: number): number {
  return one - other;
}

function byName(one: ReportSeries, other: ReportSeries): number {
  return one.name < other.name ? -1 : 1;
}
