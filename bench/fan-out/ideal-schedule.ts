import type { JournalEntry } from '../../workload/exec/journal.js';

/** From the first attempt of a cluster to its clean-up; UTC milliseconds. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** When each cluster held its place, in the order in which they began. */
export function spansOf(entries: readonly JournalEntry[]): readonly Span[] {
  const spans = new Map<string, Span>();
  for (const { event, cluster, t } of entries) {
    if (cluster === undefined) continue;
    const at = Date.parse(t);
    const known = spans.get(cluster);
    if (known === undefined && event === 'attempt-started')
      spans.set(cluster, { start: at, end: at });
    if (known !== undefined && ['attempt-ended', 'cleaned'].includes(event)) {
      spans.set(cluster, { ...known, end: at });
    }
  }
  return [...spans.values()].sort((one, other) => one.start - other.start);
}

/** How long the same spans take when every place is taken again at once. */
export function idealWall(spans: readonly Span[], places: number): number {
  const free = Array.from({ length: Math.min(places, spans.length) }, () => 0);
  for (const { start, end } of spans) {
    const first = Math.min(...free);
    free[free.indexOf(first)] = first + (end - start);
  }
  return Math.max(...free);
}
