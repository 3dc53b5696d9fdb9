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

/**
 * The command line was not understood; `problem` is what its parser said, `hint` its guess at what was
 * meant, `command` the part that was understood.
 */
export const wrongUsage = (problem: string, hint: string | undefined, command: string): UserError =>
  usageErrors.make('spec/usage', {
    problem,
    ...(hint === undefined ? {} : { expected: hint.replace(/^\(Did you mean (.*)\?\)$/, '$1') }),
    next: `${command} --help lists its ${command.includes(' ') ? 'flags' : 'commands'}`,
  });
