import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Milliseconds } from '../../model/quantity.js';
import { buildArguments, buildKey } from './build-key.js';
import { removeFolder } from './cache.js';
import type { EngineContext } from './engine-context.js';
import { buildFailed } from './errors.js';
import { goEnvironment } from './go-toolchain.js';
import { withHeartbeat } from './heartbeat.js';
import type { Filled } from './install-steps.js';
import type { EngineRecipe } from './recipe.js';

/** Lines of Go's own output that an error shows: enough for a compile error and its context. */
const TAIL_LINES = 20;

/** Builds an engine into `folder`. Go's caches keep what an interrupted build has compiled. */
export async function buildEngine(
  recipe: EngineRecipe,
  folder: string,
  context: EngineContext,
): Promise<Filled> {
  const deed = {
    subject: recipe.name,
    text: `building ${recipe.version} from its Go module`,
    expected: expectedBuildTime(recipe, context.host.cores),
  };
  const scratch = join(folder, 'scratch');
  await mkdir(scratch);
  await withHeartbeat(deed, context, () => runGo(recipe, folder, scratch, context));
  await removeFolder(scratch);
  return { source: 'built', key: await buildKey(recipe, context), origin: recipe.build.package };
}

/** Wall time of a build with empty Go caches. Two idle cores were busy for 95 % of it. */
export function expectedBuildTime(recipe: EngineRecipe, cores: number): Milliseconds {
  return (recipe.build.cpuSeconds / (cores * 0.95)) * 1_000;
}

/** Go works in `scratch`, so that what a killed one leaves is swept with the folder around it. */
async function runGo(
  recipe: EngineRecipe,
  folder: string,
  scratch: string,
  context: EngineContext,
): Promise<void> {
  const result = await context.processes.run({
    command: 'go',
    args: buildArguments(recipe, join(folder, recipe.name)),
    cwd: join(context.enginesDir, recipe.build.module),
    env: { ...goEnvironment(context), GOTMPDIR: scratch },
    signal: context.signal,
  });
  if (result.state === 'ended' && result.exitCode === 0) return;
  throw buildFailed(recipe, result.state === 'not-found' ? '' : tail(result));
}

function tail(
  result: { readonly stderr: string } & (
    { readonly state: 'ended' } | { readonly state: 'killed'; readonly signal: string }
  ),
): string {
  const lines = result.stderr.trimEnd().split('\n').slice(-TAIL_LINES);
  if (result.state === 'killed') {
    lines.push(`ended by ${result.signal}${result.signal === 'SIGKILL' ? ' (memory short?)' : ''}`);
  }
  return lines.join('\n').trim();
}
