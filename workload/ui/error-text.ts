import { placeText, type UserError } from '../../model/user-error.js';

/** An error as people read it: what, given, expected, next, each on its own line. */
export function errorText(error: UserError): string {
  const lines = [
    `error ${error.code}: ${error.problem}`,
    ...(error.where === undefined ? [] : [`  where:    ${placeText(error.where)}`]),
    ...labelled('given', error.given),
    ...labelled('expected', error.expected),
    ...labelled('next', error.next),
  ];
  return lines.join('\n');
}

/** The same for `--json`. */
export function errorDocument(error: UserError): Readonly<Record<string, unknown>> {
  const { code, problem, given, expected, next, where } = error;
  return { code, problem, given, expected, next, where };
}

function labelled(label: string, text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  const [first = '', ...rest] = text.split('\n');
  const indent = ' '.repeat(12);
  return [`  ${`${label}:`.padEnd(10)}${first}`, ...rest.map((line) => `${indent}${line}`)];
}
