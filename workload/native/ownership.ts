import { OBJECT_CONVENTIONS } from '../../model/object-conventions.js';

/** The labels of an object as an API server gives it; empty for anything else. */
export function labelsOf(body: unknown): Readonly<Record<string, unknown>> {
  if (typeof body !== 'object' || body === null || !('metadata' in body)) return {};
  const { metadata } = body;
  if (typeof metadata !== 'object' || metadata === null || !('labels' in metadata)) return {};
  return typeof metadata.labels === 'object' && metadata.labels !== null
    ? { ...metadata.labels }
    : {};
}

/** True for an object of ours that belongs to this run. */
export function isOfRun(body: unknown, runId: string): boolean {
  const labels = labelsOf(body);
  const { managedByLabel, managedByValue, runLabel } = OBJECT_CONVENTIONS;
  return labels[managedByLabel] === managedByValue && labels[runLabel] === runId;
}

/** Selects what is ours: of one run, or of every run. */
export function ownershipSelector(runId: string | undefined): string {
  const { managedByLabel, managedByValue, runLabel } = OBJECT_CONVENTIONS;
  const run = runId === undefined ? runLabel : `${runLabel}=${runId}`;
  return `${managedByLabel}=${managedByValue},${run}`;
}
