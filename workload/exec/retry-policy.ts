import type { Milliseconds } from '../../model/quantity.js';
import { retryOf } from '../signatures/match.js';
import type { AttemptRecord } from './attempt-record.js';

/** What a decision about another attempt rests on. */
export interface RetrySituation {
  /** How many attempts this runner has made on the cluster. */
  readonly made: number;
  /** Whether the clusters of the run observe each other. */
  readonly together: boolean;
  /** What is left of the cluster's own time. */
  readonly left: Milliseconds;
}

/**
 * Whether a cluster gets another attempt: only for a class of failure that is known to pass, within the
 * cluster's own time, and, where clusters observe each other, before its first phase: what the others
 * have gone through cannot be made up for alone.
 */
export function mayTryAgain(
  record: Pick<AttemptRecord, 'ending' | 'engine' | 'phases'>,
  { made, together, left }: RetrySituation,
): boolean {
  if (together && record.phases.length > 0) return false;
  return made < mostAttempts(record) && left > LEAST_LEFT;
}

/** Whether a failure is of a class for which another attempt may be made at all. */
export function isPassing(record: Pick<AttemptRecord, 'ending' | 'engine'>): boolean {
  return mostAttempts(record) > 1;
}

/** An engine that knows its own ending says whether it passes; otherwise the table of signatures does. */
function mostAttempts({ ending, engine }: Pick<AttemptRecord, 'ending' | 'engine'>): number {
  if (ending.state !== 'failed' || ending.cause !== 'infrastructure') return 1;
  const retry = retryOf(ending.code);
  if (retry === 'yes') return 3;
  const own = engine?.kind === 'infrastructure' && engine.retryable;
  return retry === 'once' || own ? 2 : 1;
}

/** Ours: an API server that is busy at the start needs a moment. */
export const RETRY_PAUSE: Milliseconds = 5_000;
/** Ours: with less than this no attempt comes beyond its start. */
const LEAST_LEFT: Milliseconds = 30_000;
