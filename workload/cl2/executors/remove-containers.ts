import { OBJECT_CONVENTIONS } from '../../../model/object-conventions.js';
import { answeringEngines, type EngineSearch } from './container-engine.js';

/**
 * Removes the containers that a killed runner has left on this machine, of one run or of every run.
 * Gives how many; a machine without a container engine has none.
 */
export async function removeRunContainers(
  search: EngineSearch,
  runId: string | undefined,
): Promise<number> {
  const { managedByLabel, managedByValue, runLabel } = OBJECT_CONVENTIONS;
  const run = runId === undefined ? runLabel : `${runLabel}=${runId}`;
  let removed = 0;
  for (const engine of await answeringEngines(search)) {
    const filters = [`--filter=label=${managedByLabel}=${managedByValue}`, `--filter=label=${run}`];
    const found = await engine.run(['ps', '--all', '--quiet', ...filters]);
    const ids = found.ok ? found.text.split('\n').filter((id) => id !== '') : [];
    if (ids.length === 0) continue;
    const gone = await engine.run(['rm', '--force', ...ids]);
    if (gone.ok) removed += ids.length;
  }
  return removed;
}
