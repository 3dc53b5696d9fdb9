import type { ExitWord } from './exit-codes.js';

/** Where the user wrote what is wrong: a place in a file, or a path of names such as `mesh-20/Aks`. */
export type ErrorPlace =
  | { readonly file: string; readonly line?: number; readonly column?: number }
  | { readonly path: string };

/** The five parts that every message to a user has, and the place it speaks of. */
export interface UserErrorParts {
  /** What is wrong, in one sentence. */
  readonly problem: string;
  /** What the user gave. @default - left out when nothing was given */
  readonly given?: string;
  /** What would have been right. @default - left out when there is only one way on, `next` */
  readonly expected?: string;
  /** What to do now. */
  readonly next: string;
  /** The place in the user's own input. @default - the problem has no place */
  readonly where?: ErrorPlace;
  /** What was caught on the way here. @default - nothing */
  readonly cause?: unknown;
}

/**
 * A failure that the user can do something about.
 *
 * `code` is `<area>/<kebab>`, is never renamed, and is an anchor in `docs/errors.md`. `exit` names
 * the row of the exit code table that a process ending with this error uses.
 */
export class UserError extends Error {
  readonly code: string;
  readonly exit: ExitWord;
  readonly problem: string;
  readonly given: string | undefined;
  readonly expected: string | undefined;
  readonly next: string;
  readonly where: ErrorPlace | undefined;

  constructor(code: string, exit: ExitWord, parts: UserErrorParts) {
    super(`${code}: ${parts.problem}`, { cause: parts.cause });
    this.name = 'UserError';
    this.code = code;
    this.exit = exit;
    this.problem = parts.problem;
    this.given = parts.given;
    this.expected = parts.expected;
    this.next = parts.next;
    this.where = parts.where;
  }
}

/** Several errors found in one go, sorted by the place they speak of. Never empty. */
export class UserErrors extends Error {
  readonly errors: readonly UserError[];

  constructor(errors: readonly UserError[]) {
    if (errors.length === 0) throw new Error('UserErrors needs at least one error');
    super(errors.map((error) => error.message).join('\n'));
    this.name = 'UserErrors';
    this.errors = [...errors].sort((a, b) => placeKey(a).localeCompare(placeKey(b)));
  }
}

/** Throws nothing, the one error, or all of them together: the end of every validation. */
export function throwAll(errors: readonly UserError[]): void {
  const [first] = errors;
  if (first === undefined) return;
  throw errors.length === 1 ? first : new UserErrors(errors);
}

/** Throws them for whoever was refused; `what` was refused with none at all is a defect of ours. */
export function throwRefusal(errors: readonly UserError[], what: string): never {
  throwAll(errors);
  throw new Error(`${what} was refused without a reason`);
}

/** The user errors inside a thrown value; empty when it is a defect of ours. */
export function userErrorsOf(thrown: unknown): readonly UserError[] {
  if (thrown instanceof UserError) return [thrown];
  if (thrown instanceof UserErrors) return thrown.errors;
  return [];
}

/** `file:line:column`, or the path of names. */
export function placeText(place: ErrorPlace): string {
  if ('path' in place) return place.path;
  return [place.file, place.line, place.column].filter((part) => part !== undefined).join(':');
}

function placeKey(error: UserError): string {
  const { where } = error;
  if (where === undefined) return '';
  if ('path' in where) return where.path;
  const padded = [where.line ?? 0, where.column ?? 0].map((n) => String(n).padStart(8, '0'));
  return [where.file, ...padded].join(':');
}
