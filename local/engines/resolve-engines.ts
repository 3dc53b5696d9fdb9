import { throwAll, userErrorsOf, type UserError } from '../../model/user-error.js';
import { CATALOGUE } from './catalogue.js';
import { checkUrl } from './download.js';
import type { EngineContext } from './engine-context.js';
import { ENGINE_NAMES, type EngineName } from './engine-names.js';
import { findCached } from './find-cached.js';
import { findExplicit, findOnPath } from './find-outside.js';
import { installMissing } from './install-missing.js';
import type { EngineRecipe } from './recipe.js';
import type { ResolvedEngine } from './resolved-engine.js';

/**
 * Finds each engine, and installs what is nowhere: the binary that the user named, a fitting version
 * on PATH, our cache, then a build (or a download). Throws every problem of every engine together.
 *
 * @example
 * const engines = await resolveEngines(['etcd', 'kwok'], machineEngines(surroundings));
 * engines.etcd.path; // …/etcd
 */
export async function resolveEngines<Name extends EngineName>(
  names: readonly Name[],
  context: EngineContext,
): Promise<Record<Name, ResolvedEngine>> {
  checkUrl(context.url);
  const search = await findEngines(names, context);
  const missing = search.missing.map((name) => CATALOGUE[name]);
  const report = missing.length === 0 ? undefined : await installMissing(missing, context);
  throwAll([...search.errors, ...(report?.errors ?? [])]);
  return byName(names, [...search.found, ...(report?.installed ?? [])]);
}

/** What {@link findEngines} saw: each name is in exactly one of the three. */
export interface EngineSearch {
  readonly found: readonly ResolvedEngine[];
  readonly missing: readonly EngineName[];
  readonly errors: readonly UserError[];
}

/** Looks for engines and installs nothing. */
export async function findEngines(
  names: readonly EngineName[],
  context: EngineContext,
): Promise<EngineSearch> {
  const wanted = ENGINE_NAMES.filter((name) => names.includes(name));
  const looks = await Promise.all(wanted.map((name) => look(CATALOGUE[name], context)));
  return {
    found: looks.flatMap((seen) => (seen.state === 'found' ? [seen.engine] : [])),
    missing: wanted.filter((_, index) => looks[index]?.state === 'missing'),
    errors: looks.flatMap((seen) => (seen.state === 'wrong' ? seen.errors : [])),
  };
}

type Seen =
  | { readonly state: 'found'; readonly engine: ResolvedEngine }
  | { readonly state: 'missing' }
  | { readonly state: 'wrong'; readonly errors: readonly UserError[] };

async function look(recipe: EngineRecipe, context: EngineContext): Promise<Seen> {
  try {
    const engine =
      (await findExplicit(recipe, context)) ??
      (await findOnPath(recipe, context)) ??
      (await findCached(recipe, context));
    return engine === undefined ? { state: 'missing' } : { state: 'found', engine };
  } catch (error) {
    const errors = userErrorsOf(error);
    if (errors.length === 0) throw error;
    return { state: 'wrong', errors };
  }
}

function byName<Name extends EngineName>(
  names: readonly Name[],
  engines: readonly ResolvedEngine[],
): Record<Name, ResolvedEngine> {
  const record: Partial<Record<EngineName, ResolvedEngine>> = {};
  for (const engine of engines) record[engine.name] = engine;
  if (!hasAll(record, names)) throw new Error('an engine is neither resolved nor an error');
  return record;
}

function hasAll<Name extends EngineName>(
  record: Partial<Record<EngineName, ResolvedEngine>>,
  names: readonly Name[],
): record is Record<Name, ResolvedEngine> {
  return names.every((name) => record[name] !== undefined);
}
