import { checkLoad } from '../../local/doctor/check-load.js';
import { down } from '../../local/down.js';
import { meshFile } from '../../local/state/mesh-file.js';
import { meshPaths } from '../../local/state/paths.js';
import { stateDirectory } from '../../local/world.js';
import { durationText } from '../../model/quantity.js';
import { throwAll } from '../../model/user-error.js';
import { loadCatalogue } from '../measure/catalogue.js';
import { millisecondsBetween } from '../platform/clock.js';
import { findScenario } from '../scenario/catalog.js';
import { shippedFolders } from '../scenario/folders.js';
import { applyKnobs } from '../scenario/knobs.js';
import type { CommandContext } from './context.js';
import { localWorld } from './local-world.js';
import { judgeRuns, runScenarios } from './run-action.js';
import type { ExecutedRun } from './perform-run.js';
import { tellRuns } from './run-tell.js';
import { upFromFlags } from './up-action.js';

const SCENARIO = 'first-look';

/** The flags of `start`. */
export interface StartFlags {
  readonly keep?: boolean;
  /** `knob=value` */
  readonly set: readonly string[];
  readonly out: string;
  readonly state?: string;
}

/**
 * Up, run, down. Knobs are checked before anything is touched. A mesh that was there before stays: it is not
 * ours to take down.
 */
export async function start(flags: StartFlags, context: CommandContext): Promise<void> {
  const stateDir = stateDirectory(flags.state, context.env, context.cwd);
  await refuseKnobs(flags.set);
  tellLoad(context);
  const before = await meshFile(meshPaths(stateDir).meshFile).read();
  const runs: ExecutedRun[] = [];
  if (before === undefined) await timed('up', context, () => bringUp(stateDir, context));
  try {
    const settings = { target: 'local', engine: 'native', set: flags.set, out: flags.out };
    const done = await timed('run', context, () =>
      runScenarios([SCENARIO], { ...settings, state: stateDir }, context),
    );
    runs.push(...done);
  } finally {
    if (before === undefined && flags.keep !== true) {
      await timed('down', context, () => takeDown(stateDir, context));
    }
  }
  tellRuns(runs, context);
  tellMoreTime(runs, context);
  judgeRuns(runs, context);
}

async function refuseKnobs(set: readonly string[]): Promise<void> {
  const folders = shippedFolders();
  const catalogue = await loadCatalogue(folders.measurements);
  const { scenario } = await findScenario(folders.scenarios, SCENARIO, catalogue);
  const applied = applyKnobs(scenario, set);
  if (!applied.ok) throwAll(applied.errors);
}

function tellLoad(context: CommandContext): void {
  const { found, state } = checkLoad(context.host);
  if (state === 'ok') return;
  context.progress().report({ subject: 'start', state: 'note', text: found });
}

/** Most often the machine was too slow for the time that was given, and the mesh that would show it is gone. */
function tellMoreTime(runs: readonly ExecutedRun[], context: CommandContext): void {
  const judged = runs.every(({ results }) =>
    ['pass', 'fail'].includes(results.verdict.judgement.verdict),
  );
  if (judged || context.signal.aborted) return;
  const text =
    'to keep the mesh and give more time: node bin/meshscale.js start --keep --set operationTimeout=10m';
  context.progress().report({ subject: 'start', state: 'note', text });
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
