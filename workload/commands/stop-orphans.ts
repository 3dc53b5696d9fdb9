import type { Milliseconds } from '../../model/quantity.js';
import type { RunPlan } from '../../model/run-plan.js';
import { RUN_VARIABLE } from '../cl2/arguments.js';
import { removeRunContainers } from '../cl2/executors/remove-containers.js';
import { waitFor } from '../platform/wait.js';
import type { CommandContext } from './context.js';

type Context = Pick<CommandContext, 'processes' | 'clock' | 'env' | 'progress'>;

/**
 * Ends what a runner of this run has started on this machine and left behind when it was killed: it
 * would go on loading a cluster that is being cleaned. Resolves when all of it is gone.
 */
export async function stopOrphans(
  { runId, flags }: Pick<RunPlan, 'runId' | 'flags'>,
  context: Context,
): Promise<void> {
  await endProcesses(runId, context);
  if (flags?.['executor'] === 'container') await removeLeftContainers(runId, context);
}

async function endProcesses(runId: string, { processes, clock, progress }: Context): Promise<void> {
  const find = () => processes.findByEnvironment(RUN_VARIABLE, runId);
  const found = find();
  if (found.length === 0) return;
  const text = `ending ${found.length} processes that an earlier runner left behind`;
  progress().report({ subject: 'run', state: 'note', text });
  await waitFor({ clock, budget: BUDGET, period: PERIOD }, () => {
    const left = find();
    for (const process of left) processes.signalGroup(process, 'SIGKILL');
    const missing = left.map(({ pid }) => `process ${pid} is still there`);
    return Promise.resolve(
      left.length === 0 ? { state: 'ready', value: undefined } : { state: 'waiting', missing },
    );
  });
}

/**
 * Removes the containers that a killed runner has left, of one run or of every run. Before its clusters
 * are cleaned: what still loads them would make anew what is removed.
 */
export async function removeLeftContainers(
  runId: string | undefined,
  { processes, env, progress }: Context,
): Promise<void> {
  const removed = await removeRunContainers({ processes, env }, runId);
  if (removed === 0) return;
  progress().report({ subject: 'run', state: 'note', text: `${removed} containers removed` });
}

/** Ours: SIGKILL takes milliseconds; what does not go then hangs in the kernel. */
const BUDGET: Milliseconds = 5_000;
const PERIOD: Milliseconds = 50;
