import { errorCatalogue } from '../../model/error-catalogue.js';
import type { UserError } from '../../model/user-error.js';
import type { LockHolder } from '../platform/lock.js';

/** What can be wrong with running a scenario, besides what happens on its clusters. */
export const runErrors = errorCatalogue({
  'run/busy': { exit: 'busy', meaning: 'Another meshscale works on this run.' },
  'run/clusters-in-use': {
    exit: 'busy',
    meaning: 'Objects of another run stand on the clusters: it is under way, or was killed.',
  },
  'run/folder-unwritable': {
    exit: 'infrastructure',
    meaning: 'The run folder cannot be written; the disk may be full.',
  },
  'run/leftovers': {
    exit: 'leftovers',
    meaning: 'Objects of a run could not be removed from its clusters; they are listed.',
  },
  'run/unknown': { exit: 'bad-input', meaning: 'There is no run of that name.' },
  'run/which': { exit: 'bad-input', meaning: 'cleanup was not told what to clean.' },
  'run/bad-parallel': {
    exit: 'bad-input',
    meaning: '--parallel is not a number of clusters.',
  },
  'run/parallel-too-few': {
    exit: 'bad-input',
    meaning: '--parallel is less than the clusters that have to be loaded together.',
  },
  'run/too-many-clusters': {
    exit: 'infrastructure',
    meaning: 'The clusters have to be loaded together, and this machine cannot drive so many.',
  },
  'run/bad-smoke': { exit: 'bad-input', meaning: '--smoke is neither auto, always nor never.' },
  'run/smoke-failed': {
    exit: 'infrastructure',
    meaning: 'The clusters do not reach each other, so nothing was loaded.',
  },
  'run/not-resumable': {
    exit: 'bad-input',
    meaning: 'The run cannot be continued: it had not begun, or its folder lacks what is needed.',
  },
  'run/bad-seed': { exit: 'bad-input', meaning: '--seed is not a whole number in its range.' },
  'run/engine-not-here': {
    exit: 'bad-input',
    meaning: 'The engine or target that was asked for is not part of this release.',
  },
});

/** The lock of a run folder is held. */
export const runBusy = (folder: string, holder: LockHolder): UserError =>
  runErrors.make('run/busy', {
    problem: 'another meshscale works on this run',
    given: `${folder}: process ${holder.pid} on ${holder.host}, ${holder.purpose}`,
    next: 'wait until it has ended',
  });

/** Somebody's objects stand where ours would. */
export const clustersInUse = (found: readonly { cluster: string; run: string }[]): UserError =>
  runErrors.make('run/clusters-in-use', {
    problem: 'objects of another run stand on these clusters',
    given: found.map(({ cluster, run }) => `${cluster}: ${run}`).join('\n'),
    expected: 'clusters without objects of meshscale: two runs at once would measure each other',
    next: 'wait until that run has ended; if it was killed: meshscale cleanup --all',
  });

/** The file system refused a journal line or a result. */
export const runFolderUnwritable = (folder: string, cause: unknown): UserError =>
  runErrors.make('run/folder-unwritable', {
    problem: 'the run folder cannot be written',
    given: `${folder} (${cause instanceof Error ? cause.message : String(cause)})`,
    expected: 'a folder on a disk with free space that you may write',
    next: `free disk space, or give --out a folder on another disk; meshscale report ${folder} makes the rows of what is there already`,
    cause,
  });

/** Clean-up did not come to its end. */
export const runLeftovers = (left: readonly string[]): UserError =>
  runErrors.make('run/leftovers', {
    problem: 'something of ours is left on the clusters',
    given: left.join('\n'),
    next: 'meshscale cleanup --all tries again; it has to be able to reach these clusters',
  });

/** No folder of that name. */
export const unknownRun = (name: string, folder: string): UserError =>
  runErrors.make('run/unknown', {
    problem: `there is no run "${name}"`,
    given: name,
    expected: `the name of a folder in ${folder}, or a path to one`,
    next: `ls ${folder}`,
  });

/** Asked for what a later release has. */
export const notInThisRelease = (given: string, expected: string): UserError =>
  runErrors.make('run/engine-not-here', {
    problem: `${given}: this release has no such one`,
    given,
    expected,
    next: 'give one of those, or leave it out',
  });

/** `cleanup` alone could mean everything; it is never guessed. */
export const cleanupNeedsRun = (): UserError =>
  runErrors.make('run/which', {
    problem: 'cleanup has to be told what to clean',
    expected: 'a run, or --all for what every run has left',
    next: 'meshscale run status lists the runs',
  });

/** `--seed` is not a number that the generator takes. */
export const badSeed = (given: string, most: number): UserError =>
  runErrors.make('run/bad-seed', {
    problem: 'this is not a seed',
    given: `--seed ${given}`,
    expected: `a whole number from 0 to ${most}`,
    next: 'give --seed one of those, or leave it out',
  });

/** `--parallel` is no number. */
export const badParallel = (given: string): UserError =>
  runErrors.make('run/bad-parallel', {
    problem: 'this is not a number of clusters',
    given: `--parallel ${given}`,
    expected: 'a whole number from 1 on',
    next: 'give one of those, or leave it out: the most that this machine bears is then taken',
  });

/** Fewer at once would wait at their first barrier for those that never begin. */
export const fewerThanMeet = (asked: number, clusters: number): UserError =>
  runErrors.make('run/parallel-too-few', {
    problem: 'the clusters of this scenario observe each other, so they run all at once',
    given: `--parallel ${asked} with ${clusters} clusters`,
    expected: `--parallel ${clusters}, or a scenario whose phases are free, such as config-smoke`,
    next: 'leave --parallel out, or name fewer clusters',
  });

/** The machine is too small for a run that has to be driven as a whole. */
export const moreThanFit = (clusters: number, why: string): UserError =>
  runErrors.make('run/too-many-clusters', {
    problem: `this machine cannot drive ${clusters} clusters at once`,
    given: why,
    expected: 'room for all of them, because they observe each other',
    next: `name fewer clusters, use --executor job, a larger machine, or say --parallel ${clusters} to try it all the same`,
  });

/** There is nothing that could be continued. */
export const notResumable = (run: string, why: string): UserError =>
  runErrors.make('run/not-resumable', {
    problem: `this run cannot be continued: ${why}`,
    given: run,
    expected: 'a run folder with a plan and a journal',
    next: 'start the scenario again with meshscale run',
  });

/** `--smoke` is none of its words. */
export const badSmoke = (given: string): UserError =>
  runErrors.make('run/bad-smoke', {
    problem: 'this is no choice of a smoke test',
    given: `--smoke ${given}`,
    expected: 'auto (where packets flow), always (else the state path) or never',
    next: 'give one of those, or leave it out',
  });

/** Pairs of clusters without the right answer; the first of many. */
export const smokeFailed = (what: string, failures: readonly string[]): UserError => {
  const shown = failures.slice(0, MOST_SHOWN);
  const more = failures.length - shown.length;
  return runErrors.make('run/smoke-failed', {
    problem: `the clusters do not reach each other (${what})`,
    given: [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
    expected: 'from every cluster an answer that its peer has given, within two minutes',
    next: 'look at the mesh between these clusters; --smoke never loads them all the same',
  });
};

const MOST_SHOWN = 20;
