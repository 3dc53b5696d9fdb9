import { CATALOGUE } from '../../local/engines/catalogue.js';
import type { EngineContext } from '../../local/engines/engine-context.js';
import { notInstalled } from '../../local/engines/errors.js';
import { parseEngineNames } from '../../local/engines/parse-names.js';
import { findEngines, resolveEngines } from '../../local/engines/resolve-engines.js';
import type { ResolvedEngine } from '../../local/engines/resolved-engine.js';
import { throwAll } from '../../model/user-error.js';
import type { CommandContext } from './context.js';
import { enginesOf } from './engine-surroundings.js';

/** `engines install`: afterwards each of the engines is there. */
export async function installEngines(
  context: CommandContext,
  given: readonly string[],
  flags: Pick<EngineContext, 'from' | 'url'>,
): Promise<void> {
  const names = parseEngineNames(given);
  const engines = await resolveEngines(names, enginesOf(context, flags));
  const list = names.map((name) => engines[name]);
  if (context.wantsJson()) {
    context.output.json({ schemaVersion: 1, engines: list });
    return;
  }
  for (const engine of list) {
    const { name, version, source, path } = engine;
    context.output.data(`${name} ${version} (${source}) ${path}`);
  }
}

/** `engines path`: one name prints the bare path, for use in scripts; several print pairs. */
export async function printPaths(context: CommandContext, given: readonly string[]): Promise<void> {
  const names = parseEngineNames(given);
  const search = await findEngines(names, enginesOf(context));
  print(context, search.found, given.length === 1);
  throwAll([...search.errors, ...search.missing.map((name) => notInstalled(CATALOGUE[name]))]);
}

function print(context: CommandContext, engines: readonly ResolvedEngine[], bare: boolean): void {
  if (context.wantsJson()) {
    context.output.json({ schemaVersion: 1, engines });
    return;
  }
  for (const { name, path } of engines) context.output.data(bare ? path : `${name} ${path}`);
}
