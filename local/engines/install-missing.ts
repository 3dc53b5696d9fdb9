import { userErrorsOf, type UserError } from '../../model/user-error.js';
import { durationText } from '../../model/quantity.js';
import { hasApt, unpackDebianPackage } from './debian-package.js';
import { downloadEngine, releaseFor } from './download.js';
import type { EngineContext } from './engine-context.js';
import { goTooOld, noToolchain } from './errors.js';
import { buildEngine, expectedBuildTime } from './go-build.js';
import { findGo, type GoToolchain } from './go-toolchain.js';
import { installEngine, type Fill } from './install-engine.js';
import type { EngineRecipe } from './recipe.js';
import type { ResolvedEngine } from './resolved-engine.js';
import { checkRoomToBuild } from './room-on-disk.js';

/** What was installed, and an error for each thing that was not. */
export interface InstallReport {
  readonly installed: readonly ResolvedEngine[];
  readonly errors: readonly UserError[];
}

/**
 * Installs engines one after another (Go itself uses every core) and goes on after a failure, so
 * that one run tells all that is wrong. Without a usable Go there is one error for all that need it.
 */
export async function installMissing(
  recipes: readonly EngineRecipe[],
  context: EngineContext,
): Promise<InstallReport> {
  const go = lazily(() => findGo(context));
  const installed: ResolvedEngine[] = [];
  const errors: UserError[] = [];
  const withoutGo: EngineRecipe[] = [];
  announce(recipes, context);
  for (const recipe of recipes) {
    context.signal?.throwIfAborted();
    try {
      installed.push(await installEngine(recipe, context, await wayFor(recipe, context, go)));
    } catch (error) {
      const known = knownErrors(error);
      if (known.some(({ code }) => LACKS_GO.includes(code))) withoutGo.push(recipe);
      else errors.push(...known);
      if (known.some(({ code }) => STOPS_ALL.includes(code))) break;
    }
  }
  if (withoutGo.length > 0) errors.push(goError(withoutGo, await go()));
  return { installed, errors };
}

/** Told once, for all engines that need Go. */
const LACKS_GO = ['engine/no-toolchain', 'engine/go-too-old'];
/** After these the next engine would meet the same. */
const STOPS_ALL = ['engine/cache-unwritable', 'engine/disk-short'];

async function wayFor(
  recipe: EngineRecipe,
  context: EngineContext,
  go: () => Promise<GoToolchain>,
): Promise<Fill> {
  if (context.from === 'download') {
    releaseFor(recipe, context); // refused before anything is locked or made
    return (folder) => downloadEngine(recipe, folder, context);
  }
  const build: Fill = async (folder) => {
    await checkRoomToBuild(recipe, readyGo(recipe, await go()), context);
    return buildEngine(recipe, folder, context);
  };
  if (context.from === undefined && (await hasPackage(recipe, context))) {
    return (folder) => packageOrBuild(recipe, folder, context, build);
  }
  readyGo(recipe, await go());
  return build;
}

function readyGo(recipe: EngineRecipe, go: GoToolchain): Extract<GoToolchain, { state: 'ready' }> {
  if (go.state === 'ready') return go;
  throw goError([recipe], go);
}

function goError(recipes: readonly EngineRecipe[], go: GoToolchain): UserError {
  return go.state === 'too-old' ? goTooOld(recipes, go.version) : noToolchain(recipes);
}

async function hasPackage(recipe: EngineRecipe, context: EngineContext): Promise<boolean> {
  return recipe.debianPackage !== undefined && (await hasApt(context.env));
}

async function packageOrBuild(
  recipe: EngineRecipe,
  folder: string,
  context: EngineContext,
  build: Fill,
): ReturnType<Fill> {
  const { debianPackage } = recipe;
  if (debianPackage === undefined) return build(folder);
  const result = await unpackDebianPackage({ ...recipe, debianPackage }, folder, context);
  if (result.state === 'filled') return result.filled;
  const text = `Debian's package cannot be had (${result.why}); building it`;
  context.progress.report({ subject: recipe.name, state: 'note', text });
  return build(folder);
}

function announce(recipes: readonly EngineRecipe[], context: EngineContext): void {
  const names = recipes.map((recipe) => recipe.name).join(', ');
  const built = recipes.filter((recipe) => recipe.debianPackage === undefined);
  const time = built.reduce(
    (sum, recipe) => sum + expectedBuildTime(recipe, context.host.cores),
    0,
  );
  const cost =
    context.from === 'download'
      ? ''
      : `; compiling takes up to about ${durationText(time)} with empty Go caches`;
  context.progress.report({
    subject: 'engines',
    state: 'note',
    text: `to install: ${names}${cost}`,
  });
}

function knownErrors(error: unknown): readonly UserError[] {
  const known = userErrorsOf(error);
  if (known.length === 0) throw error;
  return known;
}

function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
