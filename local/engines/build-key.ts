import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { textSha256 } from './checksum.js';
import type { EngineContext } from './engine-context.js';
import { platformText } from './platform.js';
import type { EngineRecipe } from './recipe.js';

/** Flags of every build: no C, no paths of this machine, no symbols, and nothing asked of git. */
const BUILD_FLAGS = ['-mod=readonly', '-trimpath', '-buildvcs=false'] as const;

/** The arguments of `go` that build the recipe's package to `output`. */
export function buildArguments(recipe: EngineRecipe, output: string): readonly string[] {
  const variables = Object.entries(recipe.build.variables ?? {});
  const ldflags = ['-s', '-w', ...variables.map(([name, value]) => `-X ${name}=${value}`)];
  return [
    'build',
    ...BUILD_FLAGS,
    '-ldflags',
    ldflags.join(' '),
    '-o',
    output,
    recipe.build.package,
  ];
}

/**
 * Hash of all that a built binary depends on: module files, our own sources, flags, version and
 * machine. Not of Go's own version: a newer Go is no reason to build again.
 */
export async function buildKey(recipe: EngineRecipe, context: EngineContext): Promise<string> {
  const module = join(context.enginesDir, recipe.build.module);
  const sources = await ownSources(module, recipe.build.package);
  const files = ['go.mod', 'go.sum', ...sources].map((file) =>
    readFile(join(module, file), 'utf8'),
  );
  return textSha256([
    recipe.name,
    recipe.version,
    platformText(context.platform),
    ...buildArguments(recipe, ''),
    ...(await Promise.all(files)),
  ]);
}

async function ownSources(module: string, packagePath: string): Promise<readonly string[]> {
  if (!packagePath.startsWith('./')) return [];
  const names = await readdir(join(module, packagePath));
  return names
    .filter((name) => name.endsWith('.go'))
    .sort()
    .map((name) => join(packagePath, name));
}
