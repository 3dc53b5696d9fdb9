import type { UserError } from '../../model/user-error.js';

/** An error for `--json`. */
export function errorDocument(error: UserError): Readonly<Record<string, unknown>> {
  const { code, problem, given, expected, next, where } = error;
  return { code, problem, given, expected, next, where };
}
