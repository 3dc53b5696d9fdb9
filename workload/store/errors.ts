import { errorCatalogue } from '../../model/error-catalogue.js';
import type { UserError } from '../../model/user-error.js';

const catalogue = errorCatalogue({
  'store/no-engine': {
    exit: 'infrastructure',
    meaning: 'DuckDB, which answers queries, is not installed or does not run on this machine.',
  },
  'store/no-runs': {
    exit: 'bad-input',
    meaning: 'There are no rows below the folder that is queried.',
  },
  'store/bad-sql': {
    exit: 'bad-input',
    meaning: 'DuckDB refuses the query.',
  },
  'store/unknown-query': {
    exit: 'bad-input',
    meaning: 'There is no named query of that name, or none was named and no SQL was given.',
  },
});

/** The codes of this folder, for `docs/errors.md`. */
export const storeErrors = catalogue.meanings;

/** The optional package could not be loaded. */
export const noQueryEngine = (cause: unknown): UserError =>
  catalogue.make('store/no-engine', {
    problem: 'DuckDB cannot be loaded',
    given: cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause),
    expected: 'the optional package @duckdb/node-api; it runs on Linux, macOS and Windows',
    next: 'npm install --include=optional; everything but "meshscale query" works without it',
  });

/** Nothing to ask. */
export const noRuns = (folder: string): UserError =>
  catalogue.make('store/no-runs', {
    problem: `there are no rows below ${folder}`,
    given: folder,
    expected: 'run folders with rows.jsonl, a run folder, or a file of rows',
    next: 'meshscale query --runs DIR, or meshscale collect FOLDER to make rows',
    where: { path: folder },
  });

/** The database says what is wrong better than we could. */
export const badSql = (sql: string, problem: string): UserError =>
  catalogue.make('store/bad-sql', {
    problem,
    given: sql,
    expected:
      'SQL on the tables "rows" and "measured"; docs/query-and-compare.md lists their columns',
    next: 'meshscale query "DESCRIBE measured"',
  });

/** `--named` names none. */
export const unknownQuery = (
  given: string,
  parts: { readonly nearest: string | undefined; readonly known: readonly string[] },
): UserError =>
  catalogue.make('store/unknown-query', {
    problem: `there is no query named ${given}`,
    given,
    expected: parts.nearest ?? parts.known.join(', '),
    next: 'meshscale query lists them',
  });
