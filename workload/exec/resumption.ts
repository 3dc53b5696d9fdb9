import type { RunPlan } from '../../model/run-plan.js';
import { readIfThere } from '../platform/files.js';
import { notResumable } from './errors.js';
import { ofLastRunner, readJournalText, type JournalEntry } from './journal.js';
import { readKeptAttempt, type KeptAttempt } from './kept-attempt.js';
import { observesTogether } from './observe-together.js';
import { mayTryAgain } from './retry-policy.js';
import type { RunPaths } from './run-paths.js';

/** What earlier runners of a run have done, and what is left of it. */
export interface Resumption {
  /** Clusters whose outcome stands. */
  readonly kept: readonly KeptAttempt[];
  /** The number of the next attempt of every other cluster. */
  readonly next: ReadonlyMap<string, number>;
  /** How many attempts of a cluster ended in a failure that passes: they count against its bound. */
  readonly failed: ReadonlyMap<string, number>;
  /** The run came to its end, and nobody interrupted it. */
  readonly over: boolean;
}

/**
 * Reads from journal and outcomes what has to be done to finish a run. A cluster that ended is kept; one
 * that was under way, was interrupted, or would have had another attempt, is run again. Where clusters
 * observe each other all are run again, or none: what one of them measured alone would be of another mesh.
 * Throws run/not-resumable.
 */
export async function readResumption(plan: RunPlan, paths: RunPaths): Promise<Resumption> {
  const { entries } = readJournalText((await readIfThere(paths.journal)) ?? '');
  if (entries.length === 0) throw notResumable(paths.root, 'it had not begun');
  const found = await Promise.all(
    plan.clusters.map(({ role }) => readCluster(role, entries, plan, paths)),
  );
  const together = observesTogether(plan.scenario);
  const complete = found.every(({ kept }) => kept !== undefined);
  const stands = (one: FoundCluster): boolean => one.kept !== undefined && (!together || complete);
  return {
    kept: found.flatMap((one) => (stands(one) && one.kept !== undefined ? [one.kept] : [])),
    next: new Map(
      found.filter((one) => !stands(one)).map(({ role, attempts }) => [role, attempts + 1]),
    ),
    failed: new Map(found.map(({ role, failed }) => [role, failed])),
    over: complete && ofLastRunner(entries).some(({ event }) => event === 'run-ended'),
  };
}

interface FoundCluster {
  readonly role: string;
  /** How many attempts were begun. */
  readonly attempts: number;
  readonly failed: number;
  readonly kept: KeptAttempt | undefined;
}

async function readCluster(
  role: string,
  entries: readonly JournalEntry[],
  plan: RunPlan,
  paths: RunPaths,
): Promise<FoundCluster> {
  const own = entries.filter(({ cluster }) => cluster === role);
  const numbers = (event: JournalEntry['event']): readonly number[] =>
    own.flatMap((one) => (one.event === event ? [one.attempt ?? 0] : []));
  // The journal has each attempt before its folder is used.
  const attempts = Math.max(0, ...numbers('attempt-started'));
  const together = observesTogether(plan.scenario);
  const ended = await Promise.all(
    numbers('attempt-ended').map((attempt) =>
      readKeptAttempt(paths.attempt(role, attempt).outcome),
    ),
  );
  const again = (made: number, { record }: KeptAttempt): boolean =>
    mayTryAgain(record, { made, together, left: Number.POSITIVE_INFINITY });
  const failed = ended.filter((one) => one !== undefined && again(0, one)).length;
  const last = ended.find((one) => one?.record.attempt === attempts);
  const stands =
    last !== undefined && last.record.ending.state !== 'interrupted' && !again(failed, last);
  return { role, attempts, failed, kept: stands ? last : undefined };
}
