import { access, constants, stat } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import type { EngineContext } from './engine-context.js';
import { engineVariable } from './engine-names.js';
import { explicitNotRunnable } from './errors.js';
import { probeVersion } from './probe-version.js';
import type { EngineRecipe } from './recipe.js';
import type { ResolvedEngine } from './resolved-engine.js';
import { fits, fitText } from './versions.js';

/**
 * The binary that the user named by its variable. It is taken at the user's word: another version
 * is told and used. Throws when it is not a working engine.
 */
export async function findExplicit(
  recipe: EngineRecipe,
  context: EngineContext,
): Promise<ResolvedEngine | undefined> {
  const given = context.env[engineVariable(recipe.name)];
  if (given === undefined || given === '') return undefined;
  const path = resolve(given);
  const probe = await probeVersion(recipe, path, context);
  if (probe.state === 'not-running') throw explicitNotRunnable(recipe, given, probe.why);
  if (!fits(recipe, probe.version)) {
    const text = `${probe.version} is used as ${engineVariable(recipe.name)} says; tried was ${fitText(recipe)}`;
    context.progress.report({ subject: recipe.name, state: 'note', text });
  }
  return { name: recipe.name, version: probe.version, path, source: 'explicit' };
}

/** The first program on PATH of that name with a fitting version; others are passed over. */
export async function findOnPath(
  recipe: EngineRecipe,
  context: EngineContext,
): Promise<ResolvedEngine | undefined> {
  for (const path of await programsOnPath(recipe.name, context.env)) {
    const probe = await probeVersion(recipe, path, context);
    if (probe.state === 'version' && fits(recipe, probe.version)) {
      return { name: recipe.name, version: probe.version, path, source: 'path' };
    }
  }
  return undefined;
}

/** Every executable file of that name in the folders of PATH, in their order. */
export async function programsOnPath(
  name: string,
  env: EngineContext['env'],
): Promise<readonly string[]> {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const candidates = [...new Set(folders)].map((folder) => join(folder, name));
  const executable = await Promise.all(candidates.map(isExecutableFile));
  return candidates.filter((_, index) => executable[index]);
}

async function isExecutableFile(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false; // not there, or not for us: the next folder may have it
  }
}
