import { errorText } from '../model/error-text.js';
import { EXIT_CODES } from '../model/exit-codes.js';
import { userErrorsOf } from '../model/user-error.js';

/**
 * Runs the program that synthesizes an app. What the user can mend is told in its parts, on standard
 * error and without a stack trace, which the cdktf CLI passes on; anything else is thrown.
 *
 * @returns the exit code of the process
 */
export function runApp(synthesize: () => void, tell: (line: string) => void): number {
  try {
    synthesize();
    return EXIT_CODES.good.code;
  } catch (error) {
    const errors = userErrorsOf(error);
    if (errors.length === 0) throw error;
    for (const one of errors) tell(errorText(one));
    return EXIT_CODES['bad-input'].code;
  }
}
