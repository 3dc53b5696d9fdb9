import type { Comparison } from '../compare-runs.js';
import { subjectOf, type Check } from '../gate.js';

/** The version of the documents of `compare` and `gate`. */
const DOCUMENT_VERSION = 1;

/** A comparison for programs: every value, also those that stayed the same. */
export function comparisonDocument(comparison: Comparison): object {
  const { before, after, notes, changes, checks, repeated, verdict } = comparison;
  return {
    schemaVersion: DOCUMENT_VERSION,
    verdict,
    before: before.run,
    after: after.run,
    notes,
    noiseFromRuns: repeated,
    checks,
    changes: changes.map(({ series, direction, state, moved, share, noise, lost }) => ({
      state,
      subject: subjectOf(series),
      measurement: series.measurement,
      query: series.query,
      labels: series.labels,
      phase: series.phase,
      unit: series.unit,
      direction,
      before: moved?.before ?? null,
      after: moved?.after ?? null,
      shift: moved?.shift ?? null,
      share: share ?? null,
      pairs: moved?.pairs ?? 0,
      interval: moved?.interval ?? null,
      chance: moved?.chance ?? null,
      noise: noise ?? null,
      lost,
    })),
  };
}

/** The outcome of a gate for programs. */
export function gateDocument(run: string, verdict: string, checks: readonly Check[]): object {
  return { schemaVersion: DOCUMENT_VERSION, run, verdict, checks };
}
