import { nearestName } from '../../model/nearest-name.js';
import { throwAll } from '../../model/user-error.js';
import { ENGINE_NAMES, type EngineName } from './engine-names.js';
import { unknownEngine } from './errors.js';

/**
 * Reads engine names from a command line; none means all of them. The result is in the order of the
 * catalogue. Throws one error for each name that is not one.
 */
export function parseEngineNames(given: readonly string[]): readonly EngineName[] {
  const wrong = given.filter((name) => !ENGINE_NAMES.some((known) => known === name));
  throwAll(wrong.map((name) => unknownEngine(name, ENGINE_NAMES, nearestName(name, ENGINE_NAMES))));
  return ENGINE_NAMES.filter((name) => given.length === 0 || given.includes(name));
}
