import { EXIT_CODES } from '../model/exit-codes.js';
import { userErrorsOf, type UserError } from '../model/user-error.js';

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
    for (const one of errors) tell(textOf(one));
    return EXIT_CODES['bad-input'].code;
  }
}

/** @see contracts §6 */
function textOf({ code, problem, where, given, expected, next }: UserError): string {
  const lines = [
    `error ${code}: ${problem}`,
    ...(where === undefined ? [] : [part('where', placeText(where))]),
    ...(given === undefined ? [] : [part('given', given)]),
    ...(expected === undefined ? [] : [part('expected', expected)]),
    part('next', next),
  ];
  return lines.join('\n');
}

function part(name: string, text: string): string {
  return `  ${`${name}:`.padEnd(10)}${text.replaceAll('\n', `\n${' '.repeat(12)}`)}`;
}

function placeText(where: NonNullable<UserError['where']>): string {
  if ('path' in where) return where.path;
  return [where.file, where.line, where.column].filter((each) => each !== undefined).join(':');
}
