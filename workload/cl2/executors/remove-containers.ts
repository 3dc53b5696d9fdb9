import { OBJECT_CONVENTIONS } from '../../../model/object-conventions.js';
import { answeringEngines, type ContainerEngine, type EngineSearch } from './container-engine.js';

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
  const labels = [`${managedByLabel}=${managedByValue}`, run];
  let removed = 0;
  for (const engine of await answeringEngines(search)) {
    removed += await removeLabelled(engine, labels);
  }
  return removed;
}

/** Removes the containers of one engine that have all these labels (`name`, or `name=value`); gives how many. */
export async function removeLabelled(
  engine: Pick<ContainerEngine, 'run'>,
  labels: readonly string[],
): Promise<number> {
  const filters = labels.map((label) => `--filter=label=${label}`);
  const found = await engine.run(['ps', '--all', '--quiet', ...filters]);
  const ids = found.ok ? found.text.split('\n').filter((id) => id !== '') : [];
  if (ids.length === 0) return 0;
  const gone = await engine.run(['rm', '--force', ...ids]);
  return gone.ok ? ids.length : 0;
}
