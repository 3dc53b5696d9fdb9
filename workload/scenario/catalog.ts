import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { nearestName } from '../../model/nearest-name.js';
import { throwRefusal } from '../../model/user-error.js';
import type { Catalogue } from '../measure/catalogue.js';
import { readIfThere } from '../platform/files.js';
import { unknownScenario } from './errors.js';
import { loadScenario, type LoadedScenario } from './load.js';

/** Names of all scenarios, sorted: each is a folder that holds a `scenario.yaml`. */
export async function scenarioNames(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

/** The scenario of that name. Throws when there is none, or all that is wrong with its file. */
export async function findScenario(
  directory: string,
  name: string,
  catalogue: Catalogue,
): Promise<LoadedScenario> {
  const known = await scenarioNames(directory);
  const file = join(directory, name, 'scenario.yaml');
  const text = known.includes(name) ? await readIfThere(file) : undefined;
  if (text === undefined) throw unknownScenario(name, nearestName(name, known), known);
  const result = loadScenario(text, file, catalogue);
  return result.ok ? result.loaded : throwRefusal(result.errors, file);
}
