import { basename, isAbsolute, join, resolve } from 'node:path';
import { unknownRun } from '../exec/errors.js';
import { listRuns, readRunState, type RunState } from '../exec/run-state.js';
import type { CommandContext } from './context.js';

/** `meshscale run status [RUN]`: where one run stands, or all of them in a line each. */
export async function tellRunStatus(
  run: string | undefined,
  flags: { readonly out: string },
  context: CommandContext,
): Promise<void> {
  const out = resolve(context.cwd, flags.out);
  if (run !== undefined) {
    const state = await readRunState(await findRun(run, out), context.processes);
    tell([state], state, context);
    return;
  }
  const runs = await listRuns(out);
  const states: RunState[] = [];
  for (const name of runs) states.push(await readRunState(join(out, name), context.processes));
  tell(states, { schemaVersion: 1, runs: states }, context);
}

/** The folder of a run: by its name in `out`, or by a path. Throws run/unknown. */
export async function findRun(run: string, out: string): Promise<string> {
  const known = await listRuns(out);
  const name = basename(run);
  if (known.includes(name) && !isAbsolute(run)) return join(out, name);
  const path = resolve(run);
  if ((await listRuns(resolve(path, '..'))).includes(name)) return path;
  throw unknownRun(run, out);
}

function tell(states: readonly RunState[], document: unknown, context: CommandContext): void {
  if (context.wantsJson()) {
    context.output.json(document);
    return;
  }
  for (const { run, state, verdict, cleaned, clusters } of states) {
    const left = cleaned || state === 'not-begun' ? '' : '  (may have left objects)';
    context.output.data(`${run}  ${state.padEnd(11)} ${verdict ?? '-'}${left}`);
    if (states.length > 1) continue;
    for (const { cluster, at } of clusters) context.output.data(`  ${cluster}  ${at}`);
  }
}
