import { errorCatalogue } from '../../model/error-catalogue.js';
import type { UserError } from '../../model/user-error.js';

/** What can be wrong with a command line before any command has seen it. */
export const usageErrors = errorCatalogue({
  'spec/usage': {
    exit: 'bad-input',
    meaning:
      'The command line names a command, flag or argument that is not there, or leaves one out.',
  },
});

/** The command line was not understood; `problem` is what its parser said. */
export const wrongUsage = (problem: string): UserError =>
  usageErrors.make('spec/usage', {
    problem,
    next: 'meshscale --help lists the commands, and --help after one its flags',
  });
