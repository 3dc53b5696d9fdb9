import { errorCatalogue } from '../../model/error-catalogue.js';
import type { UserError } from '../../model/user-error.js';

const catalogue = errorCatalogue({
  'collect/no-rows': {
    exit: 'bad-input',
    meaning: 'There are no rows at the place that was given.',
  },
  'collect/no-baseline': {
    exit: 'bad-input',
    meaning: 'No earlier run can be compared with, or two runs and a baseline were given.',
  },
  'collect/no-thresholds': {
    exit: 'bad-input',
    meaning: 'The file of thresholds cannot be read.',
  },
  'collect/no-verdict': {
    exit: 'bad-input',
    meaning: 'Rows without a verdict are held against nothing, for want of thresholds.',
  },
  'collect/unknown-format': {
    exit: 'bad-input',
    meaning: 'A result cannot be written in that format.',
  },
});

/** The codes of this folder, for `docs/errors.md`. */
export const compareErrors = catalogue.meanings;

/** There is nothing to compare at `path`. */
export const noRows = (path: string): UserError =>
  catalogue.make('collect/no-rows', {
    problem: `there are no rows at ${path}`,
    given: path,
    expected: 'a run folder with rows.jsonl, or a file of rows',
    next: `meshscale collect ${path} makes them from reports`,
    where: { path },
  });

/** `--baseline last-good` finds no run. */
export const noGoodRun = (scenario: string, runs: string): UserError =>
  catalogue.make('collect/no-baseline', {
    problem: `no earlier run of ${scenario} under ${runs} has passed on a mesh of this size`,
    given: 'last-good',
    expected: 'a run folder of the same scenario, target and number of clusters with verdict pass',
    next: 'name the run to compare with: meshscale compare A B',
  });

/** One run alone has nothing to be compared with. */
export const baselineNeeded = (given: string): UserError =>
  catalogue.make('collect/no-baseline', {
    problem: 'two things are compared: two runs, or one run and --baseline last-good',
    given,
    expected: 'meshscale compare A B, or meshscale compare B --baseline last-good',
    next: 'give the run to compare with',
  });

/** The file behind `--thresholds`. */
export const unreadableThresholds = (file: string, problem: string): UserError =>
  catalogue.make('collect/no-thresholds', {
    problem: `thresholds cannot be read: ${problem}`,
    where: { path: file },
    next: 'see docs/query-and-compare.md for an example',
  });

/** `--format` names none that there is. */
export const unknownFormat = (given: string, known: readonly string[]): UserError =>
  catalogue.make('collect/unknown-format', {
    problem: `there is no format ${given}`,
    given,
    expected: known.join(', '),
    next: `--format ${known[0] ?? ''}`,
  });

/** Rows of another tool, and nobody says what is good. */
export const noVerdict = (path: string): UserError =>
  catalogue.make('collect/no-verdict', {
    problem: `the rows at ${path} have no verdict beside them`,
    given: path,
    expected: 'a run folder with verdict.json, or --thresholds FILE',
    next: 'say in a file of thresholds what is good: docs/query-and-compare.md has an example',
    where: { path },
  });
