import { dirname } from 'node:path';
import { errorCatalogue } from '../../model/error-catalogue.js';
import type { UserError } from '../../model/user-error.js';

const catalogue = errorCatalogue({
  'collect/no-folder': {
    exit: 'bad-input',
    meaning: 'The folder to collect from does not exist or holds no report.',
  },
  'collect/no-cluster-name': {
    exit: 'bad-input',
    meaning: 'A report folder does not say which cluster it is of.',
  },
  'collect/unreadable': {
    exit: 'bad-input',
    meaning: 'A file that collecting wrote is not there, or is not as it was written.',
  },
  'collect/unknown-version': {
    exit: 'bad-input',
    meaning: 'A file that collecting wrote is of another release.',
  },
  'collect/unwritable': {
    exit: 'infrastructure',
    meaning: 'Rows or results cannot be written: no right to, a read-only or a full disk.',
  },
  'collect/no-run': {
    exit: 'bad-input',
    meaning: 'The folder is not a run folder.',
  },
});

/** The codes of this folder, for `docs/errors.md`. */
export const collectErrors = catalogue.meanings;

/** There is nothing to collect at `folder`. */
export const noReportFolder = (folder: string): UserError =>
  catalogue.make('collect/no-folder', {
    problem: `there is no report folder at ${folder}`,
    given: folder,
    expected: 'a run folder, a folder with junit.xml, or a folder with one such folder per cluster',
    next: 'check the path',
    where: { path: folder },
  });

/** A single report folder was given without a name for its cluster. */
export const clusterNameNeeded = (folder: string): UserError =>
  catalogue.make('collect/no-cluster-name', {
    problem: `${folder} is the report of one cluster, and its files do not say of which`,
    given: folder,
    expected: '--cluster NAME, with exactly one folder',
    next: `meshscale collect ${folder} --cluster mesh-001`,
    where: { path: folder },
  });

/** A file beside `rows.jsonl` cannot be read. */
export const unreadableResult = (file: string, problem: string): UserError =>
  catalogue.make('collect/unreadable', {
    problem: `the results of this run cannot be read: ${problem}`,
    where: { file },
    expected: 'the file as "meshscale collect" wrote it',
    next: `meshscale collect ${dirname(file)} makes it again from the reports`,
  });

/** A file beside `rows.jsonl` is of another release. */
export const resultVersion = (
  file: string,
  { given, known }: { readonly given: string; readonly known: string },
): UserError =>
  catalogue.make('collect/unknown-version', {
    problem: 'this release does not know the version of these results',
    where: { file },
    given,
    expected: known,
    next: `meshscale collect ${dirname(file)} makes them again from the reports`,
  });

/** A command needs a run folder and got something else. */
export const noRunFolder = (folder: string): UserError =>
  catalogue.make('collect/no-run', {
    problem: `there is no run at ${folder}`,
    given: folder,
    expected: 'a folder with plan.json, as "meshscale run" makes it under runs/',
    next: 'list the runs: ls runs',
    where: { path: folder },
  });

/** The disk, or its owner, does not want the results. */
export const unwritableResult = (file: string, code: string): UserError =>
  catalogue.make('collect/unwritable', {
    problem: 'the results cannot be written',
    where: { file },
    given: code,
    next: 'make room or get the right to write there, or give --out another place',
  });
