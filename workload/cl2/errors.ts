import { errorCatalogue } from '../../model/error-catalogue.js';
import type { UserError } from '../../model/user-error.js';

/** What can be wrong with ClusterLoader2 before it has loaded anything. */
export const cl2Errors = errorCatalogue({
  'cl2/no-binary': {
    exit: 'infrastructure',
    meaning: 'There is no ClusterLoader2 that could be run.',
  },
  'cl2/not-clusterloader2': {
    exit: 'infrastructure',
    meaning: 'The executable does not answer like a ClusterLoader2 that we can drive.',
  },
  'cl2/bad-flag': {
    exit: 'bad-input',
    meaning: 'A flag that concerns ClusterLoader2 has a value that it cannot have.',
  },
  'cl2/bad-name': {
    exit: 'bad-input',
    meaning: 'A name would break the file names of ClusterLoader2, or Kubernetes refuses it.',
  },
  'cl2/bad-template': {
    exit: 'bad-input',
    meaning: 'An object template does not give one well-formed object for each index.',
  },
  'cl2/bad-query': {
    exit: 'bad-input',
    meaning: 'A query of a config is not PromQL; ClusterLoader2 would try it for 15 minutes.',
  },
  'cl2/refused': {
    exit: 'bad-input',
    meaning: 'ClusterLoader2 itself refuses a config in its dry run.',
  },
});

/** Nothing to run. */
export const noBinary = (given: string | undefined): UserError =>
  cl2Errors.make('cl2/no-binary', {
    problem: 'there is no ClusterLoader2 to run',
    ...(given === undefined ? {} : { given }),
    expected: 'an executable file of ClusterLoader2; nobody publishes one, so build or bring it',
    next: 'give --cl2-binary FILE, or set MESHSCALE_CL2_BINARY; docs/clusterloader2.md says how to build it',
  });

/** Another program, or one that is too old. */
export const notCl2 = (given: string): UserError =>
  cl2Errors.make('cl2/not-clusterloader2', {
    problem: 'this does not answer like ClusterLoader2',
    given,
    expected: 'a program whose --help lists --testconfig and --k8s-clients-number',
    next: 'give --cl2-binary the executable of ClusterLoader2, of 2025 or later',
  });

/** A flag. */
export const badCl2Flag = (given: string, expected: string): UserError =>
  cl2Errors.make('cl2/bad-flag', {
    problem: 'ClusterLoader2 cannot be run like this',
    given,
    expected,
    next: 'give one of those, or leave the flag out',
  });

/** A name that breaks something. */
export const badName = (what: string, given: string, expected: string): UserError =>
  cl2Errors.make('cl2/bad-name', {
    problem: `this cannot be the name of a ${what}`,
    given,
    expected,
    next: 'rename it in the scenario or the catalogue',
  });

/** A template that gives no object. */
export const badTemplate = (file: string, index: number, problem: string): UserError =>
  cl2Errors.make('cl2/bad-template', {
    problem: `the template gives no usable object: ${problem}`,
    where: { file },
    given: `object ${index}`,
    next: 'look at the objects of the scenario; this is a defect when nothing there is unusual',
  });

/** A query that is none. */
export const badQuery = (measurement: string, given: string, problem: string): UserError =>
  cl2Errors.make('cl2/bad-query', {
    problem,
    where: { path: measurement },
    given,
    next: 'correct the expression in measurements/',
  });

/** Its own dry run stops. */
export const cl2Refused = (given: string): UserError =>
  cl2Errors.make('cl2/refused', {
    problem: 'ClusterLoader2 refuses this config in its dry run',
    given,
    next: 'use a ClusterLoader2 of 2025 or later; if it is one, this is a defect of meshscale',
  });
