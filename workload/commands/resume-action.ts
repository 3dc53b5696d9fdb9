import { join, resolve } from 'node:path';
import type { RunPlan } from '../../model/run-plan.js';
import { notResumable } from '../exec/errors.js';
import { runPaths } from '../exec/run-paths.js';
import { loadCatalogue } from '../measure/catalogue.js';
import { readIfThere } from '../platform/files.js';
import { shippedFolders } from '../scenario/folders.js';
import { readPlan } from '../scenario/plan-file.js';
import { chooseEngine } from './choose-engine.js';
import type { CommandContext } from './context.js';
import type { ExecutedRun } from './perform-run.js';
import { resumePlan } from './run-execute.js';
import type { RunFlags } from './run-flags.js';
import { parallelismOf } from './run-parallel.js';
import { findRun } from './run-status.js';
import { smokeOf } from './smoke-flags.js';

/** The flags of `resume`. */
export interface ResumeFlags {
  readonly parallel?: string;
  readonly cl2Binary?: string;
  readonly out: string;
}

/**
 * Finishes a run from its own folder: plan and flags are those of its first runner, access to the
 * clusters is fetched again. A run that is over only gets its rows and report again.
 */
export async function resumeRun(
  run: string,
  flags: ResumeFlags,
  context: CommandContext,
): Promise<ExecutedRun> {
  const folder = await findRun(run, resolve(context.cwd, flags.out));
  const file = join(folder, 'plan.json');
  const text = await readIfThere(file);
  if (text === undefined) throw notResumable(folder, 'it had not begun');
  const plan = readPlan(text, file);
  const catalogue = await loadCatalogue(shippedFolders().measurements);
  const all = flagsOf(plan, flags);
  const engine = await chooseEngine(all, catalogue, context);
  const parallel = parallelismOf(plan, all, context);
  return await resumePlan(plan, runPaths(folder), {
    ...{ catalogue, context, engine, parallel },
    smoke: smokeOf(all),
  });
}

/** The flags that the run was started with, where nothing else is said now. */
function flagsOf(
  { flags: recorded, engine }: RunPlan,
  { parallel, cl2Binary }: ResumeFlags,
): RunFlags {
  const said = {
    ...(parallel === undefined ? {} : { parallel }),
    ...(cl2Binary === undefined ? {} : { cl2Binary }),
  };
  // Each command that records flags has checked them before.
  return { target: '', set: [], out: '', ...recorded, ...said, engine };
}
