import { errorCatalogue } from '../model/error-catalogue.js';
import type { ErrorPlace, UserError } from '../model/user-error.js';

const catalogue = errorCatalogue({
  'spec/invalid-settings': {
    exit: 'bad-input',
    meaning: 'The settings of the mesh in cdktf.json cannot be used.',
  },
  'spec/no-such-file': {
    exit: 'bad-input',
    meaning: 'The mesh spec that the settings name cannot be read.',
  },
  'spec/not-yaml': { exit: 'bad-input', meaning: 'A mesh spec is not well-formed YAML.' },
});

/** The codes of this folder, for `docs/errors.md`. */
export const stackErrors = catalogue;

/** Something under `context.meshscale` is unknown or has the wrong form. */
export function settingsInvalid(problems: string): UserError {
  return catalogue.make('spec/invalid-settings', {
    problem: 'the settings of the mesh cannot be used',
    given: problems,
    expected: 'the keys that docs/deploy.md lists',
    next: 'correct context.meshscale',
    where: { file: 'cdktf.json' },
  });
}

/** `context.meshscale.spec` names a file that is not there. */
export function noSpecFile(file: string, reason: string): UserError {
  return catalogue.make('spec/no-such-file', {
    problem: `the mesh spec cannot be read: ${reason}`,
    given: file,
    expected: 'a path as seen from cdktf.json, such as specs/two-regions.yaml',
    next: 'correct context.meshscale.spec',
    where: { file: 'cdktf.json' },
  });
}

/** The YAML parser stopped. */
export function specNotYaml(where: ErrorPlace, problem: string): UserError {
  return catalogue.make('spec/not-yaml', {
    problem,
    where,
    next: 'correct the file at this place',
  });
}
