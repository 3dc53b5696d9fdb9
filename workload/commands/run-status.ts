import { basename, isAbsolute, join, resolve } from 'node:path';
import type { Milliseconds } from '../../model/quantity.js';
import { unknownRun } from '../exec/errors.js';
import { listRuns, readRunState, type RunState } from '../exec/run-state.js';
import type { CommandContext } from './context.js';

/** `meshscale run status [RUN]`: where one run stands, or all of them in a line each. */
export async function tellRunStatus(
  run: string | undefined,
  flags: { readonly out: string; readonly watch?: boolean | undefined },
  context: CommandContext,
): Promise<void> {
  const out = resolve(context.cwd, flags.out);
  const runs = await listRuns(out);
  // Who watches without a name means the one that is going on.
  const one = run ?? (flags.watch === true ? runs[0] : undefined);
  if (one !== undefined) {
    const folder = await findRun(one, out);
    const state =
      flags.watch === true
        ? await watchRun(folder, context)
        : await readRunState(folder, context.processes);
    tell([state], state, context);
    return;
  }
  const states: RunState[] = [];
  for (const name of runs) states.push(await readRunState(join(out, name), context.processes));
  tell(states, { schemaVersion: 1, runs: states }, context);
}

/** Tells what changes until nobody works on the run any more, or the user has seen enough. */
async function watchRun(folder: string, context: CommandContext): Promise<RunState> {
  const { processes, clock, signal, output } = context;
  const told = new Map<string, string>();
  for (;;) {
    const state = await readRunState(folder, processes);
    for (const { cluster, at } of state.clusters) {
      if (!context.wantsJson() && told.get(cluster) !== at) output.data(`${cluster}  ${at}`);
      told.set(cluster, at);
    }
    if (state.state !== 'running') return state;
    const enough = await clock.sleep(WATCH_PERIOD, signal).then(
      () => false,
      () => true,
    );
    if (enough) return state;
  }
}

/** Ours: phases take seconds, and a journal of a hundred clusters is read in milliseconds. */
const WATCH_PERIOD: Milliseconds = 500;

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
    const over = state !== 'not-begun' && state !== 'running';
    const left = over && !cleaned ? `  (may have left objects: meshscale cleanup ${run})` : '';
    context.output.data(`${run}  ${state.padEnd(11)} ${verdict ?? '-'}${left}`);
    if (states.length > 1) continue;
    for (const { cluster, at } of clusters) context.output.data(`  ${cluster}  ${at}`);
  }
}
