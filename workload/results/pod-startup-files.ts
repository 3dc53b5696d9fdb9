import type { SummaryReading } from './read-attempt.js';

/**
 * The planned measurement that a file belongs to: ClusterLoader2 writes pod startup three times, for
 * all pods, for those of Deployments and for those of StatefulSets.
 */
export function plannedName(measurement: string): string {
  return measurement.replace(KIND, 'PodStartupLatency');
}

/** True for the file of one kind of pods, which nobody asks for by name. */
export function isOfOneKind(measurement: string): boolean {
  return KIND.test(measurement);
}

/**
 * True for a startup file of pods of which none was started. ClusterLoader2 writes zeros then, which
 * are no latencies. @see data/clusterloader2.md §4.3
 */
export function nothingStarted({ summary, content }: SummaryReading): boolean {
  if (!ANY_KIND.test(summary.measurement)) return false;
  if (content.kind === 'whole') return false;
  return content.items.every(({ data }) => Object.values(data).every((value) => value === 0));
}

const ANY_KIND = /^(Stateless|Stateful)?PodStartupLatency/;
const KIND = /^(Stateless|Stateful)PodStartupLatency/;
