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
  'collect/bad-plan': {
    exit: 'bad-input',
    meaning: 'The plan of a run folder cannot be read.',
  },
  'collect/bad-inventory': {
    exit: 'bad-input',
    meaning: 'The inventory file cannot be read.',
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

/** `plan.json` is there and not what we know. */
export const badPlan = (file: string, reason: string): UserError =>
  catalogue.make('collect/bad-plan', {
    problem: `the plan of this run cannot be read: ${reason}`,
    given: file,
    expected: 'a plan.json that this version of meshscale wrote',
    next: 'use the version that made the run, or collect its clusters one by one with --cluster',
    where: { file },
  });

/** The file of `--inventory` is no inventory. */
export const badInventory = (file: string, reason: string): UserError =>
  catalogue.make('collect/bad-inventory', {
    problem: `the inventory cannot be read: ${reason}`,
    given: file,
    expected: 'a file that "meshscale inventory export" wrote',
    next: 'export it again, or leave --inventory out',
    where: { file },
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
