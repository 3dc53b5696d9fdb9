import { holdForRun, type HeldMesh } from '../../local/run-lock.js';
import type { RunPlan } from '../../model/run-plan.js';
import type { CommandContext } from './context.js';

/** Holds the local mesh of a plan, if it has one, while `deed` runs. @see holdForRun */
export async function holdMeshes<T>(
  { runId, inventory }: Pick<RunPlan, 'runId' | 'inventory'>,
  context: Pick<CommandContext, 'processes' | 'clock'>,
  deed: () => Promise<T>,
): Promise<T> {
  const { processes, clock } = context;
  const folders = inventory.clusters.flatMap(({ access }) =>
    access.kind === 'local' ? [access.stateDir] : [],
  );
  const held: HeldMesh[] = [];
  try {
    for (const stateDir of new Set(folders)) {
      held.push(await holdForRun(stateDir, runId, { processes, clock }));
    }
    return await deed();
  } finally {
    for (const mesh of held) await mesh.release();
  }
}
