import { down } from '../../local/down.js';
import { meshFile } from '../../local/state/mesh-file.js';
import { meshPaths } from '../../local/state/paths.js';
import { stateDirectory } from '../../local/world.js';
import { durationText } from '../../model/quantity.js';
import { millisecondsBetween } from '../platform/clock.js';
import type { CommandContext } from './context.js';
import { localWorld } from './local-world.js';
import { judgeRuns, runScenarios } from './run-action.js';
import type { ExecutedRun } from './perform-run.js';
import { tellRuns } from './run-tell.js';
import { upFromFlags } from './up-action.js';

/** The flags of `start`. */
export interface StartFlags {
  readonly keep?: boolean;
  readonly out: string;
  readonly state?: string;
}

/** Up, run, down. A mesh that was there before stays: it is not ours to take down. */
export async function start(flags: StartFlags, context: CommandContext): Promise<void> {
  const stateDir = stateDirectory(flags.state, context.env, context.cwd);
  const before = await meshFile(meshPaths(stateDir).meshFile).read();
  const runs: ExecutedRun[] = [];
  if (before === undefined) await timed('up', context, () => bringUp(stateDir, context));
  try {
    const settings = { target: 'local', engine: 'native', set: [], out: flags.out };
    const done = await timed('run', context, () =>
      runScenarios(['first-look'], { ...settings, state: stateDir }, context),
    );
    runs.push(...done);
  } finally {
    if (before === undefined && flags.keep !== true) {
      await timed('down', context, () => takeDown(stateDir, context));
    }
  }
  tellRuns(runs, context);
  judgeRuns(runs, context);
}

/** Without what `up` alone would print: the data of `start` is how the run came out. */
async function bringUp(stateDir: string, context: CommandContext): Promise<void> {
  const output = { data: () => undefined, json: () => undefined };
  const spec = { clusters: '2', nodes: '20', exportQps: '20', meshQps: '100' };
  await upFromFlags({ ...spec, state: stateDir }, { ...context, output });
}

/** Not with the command's own signal: after a Ctrl-C the mesh is to go as well. */
async function takeDown(stateDir: string, context: CommandContext): Promise<void> {
  await down(stateDir, { ...localWorld(context), signal: new AbortController().signal });
}

async function timed<T>(part: string, context: CommandContext, deed: () => Promise<T>): Promise<T> {
  const startNs = context.clock.monoNs();
  const result = await deed();
  const took = durationText(millisecondsBetween(startNs, context.clock.monoNs()));
  context.progress().report({ subject: 'start', state: 'done', text: `${part}: ${took}` });
  return result;
}
