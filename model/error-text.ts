import { placeText, type UserError } from './user-error.js';

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

function labelled(label: string, text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  const [first = '', ...rest] = text.split('\n');
  const indent = ' '.repeat(12);
  return [`  ${`${label}:`.padEnd(10)}${first}`, ...rest.map((line) => `${indent}${line}`)];
}
