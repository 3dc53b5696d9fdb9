import type { ExitWord } from './exit-codes.js';
import { UserError, type UserErrorParts } from './user-error.js';

/** What an error code means whoever meets it, and how a process that ends with it exits. */
export interface ErrorMeaning {
  readonly exit: ExitWord;
  /** One sentence for `docs/errors.md`. */
  readonly meaning: string;
}

/** The codes of one folder. `make` is the only way to build one of its errors. */
export interface ErrorCatalogue<Code extends string> {
  readonly meanings: Readonly<Record<Code, ErrorMeaning>>;
  make(code: Code, parts: UserErrorParts): UserError;
}

/**
 * Declares the error codes of a folder, in its `errors.ts`.
 *
 * @example
 * const catalogue = errorCatalogue({
 *   'mesh/busy': { exit: 'busy', meaning: 'Another meshscale is changing this mesh.' },
 * });
 * export const meshBusy = (pid: number) =>
 *   catalogue.make('mesh/busy', { problem: `process ${pid} holds the mesh`, next: 'wait for it' });
 */
export function errorCatalogue<Code extends `${string}/${string}`>(
  meanings: Readonly<Record<Code, ErrorMeaning>>,
): ErrorCatalogue<Code> {
  return {
    meanings,
    make: (code, parts) => new UserError(code, meanings[code].exit, parts),
  };
}
