import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { apiReports } from './api-report.js';
import { ERROR_CATALOGUES } from './error-catalogues.js';
import { errorPage } from './error-page.js';
import { exitCodePage } from './exit-code-page.js';
import { queryPage } from './query-page.js';
import { scenarioPage } from './scenario-tables.js';
import { schemaFiles } from './schema-files.js';

/** A committed file that is made from sources. */
export interface GeneratedFile {
  /** Path in the repository. */
  readonly path: string;
  readonly text: string;
}

/** Every generated file of the repository as it has to be, formatted as `npm run format` does. */
export async function generatedFiles(root: string): Promise<readonly GeneratedFile[]> {
  const files = [
    { path: 'docs/errors.md', text: errorPage(ERROR_CATALOGUES) },
    { path: 'docs/exit-codes.md', text: exitCodePage() },
    { path: 'docs/named-queries.md', text: queryPage() },
    { path: 'docs/scenarios.md', text: await scenarioPage() },
    ...apiReports(root),
    ...schemaFiles().map(({ name, content }) => ({
      path: `schemas/${name}`,
      text: JSON.stringify(content),
    })),
  ];
  return Promise.all(
    files.map(async ({ path, text }) => {
      const filepath = join(root, path);
      return { path, text: await format(text, { ...(await resolveConfig(filepath)), filepath }) };
    }),
  );
}

/** What is not as it has to be, a line each; empty when all is up to date. */
export async function staleFiles(
  root: string,
  files: readonly GeneratedFile[],
): Promise<readonly string[]> {
  const stale = await Promise.all(
    files.map(async ({ path, text }) => {
      const written = await textOf(join(root, path));
      if (written === undefined) return [`${path} is missing`];
      return written === text ? [] : [`${path} is out of date`];
    }),
  );
  const known = new Set(files.map(({ path }) => path));
  const schemas = (await readdir(join(root, 'schemas'))).filter((name) => name.endsWith('.json'));
  const orphans = schemas.map((name) => `schemas/${name}`).filter((path) => !known.has(path));
  return [...stale.flat(), ...orphans.map((path) => `${path} is made by nothing: delete it`)];
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    return undefined; // not there; anything else shows when it is written
  }
}
