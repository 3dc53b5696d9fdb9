import { engineVariable } from './engine-names.js';
import type { EngineRecipe } from './recipe.js';
import { fitText } from './versions.js';

/** The oldest Go that the committed modules accept (`go` line of their go.mod). */
export const OLDEST_GO = '1.26.0';

/** Every way to get engines that could not be found or installed, one a line. */
export function remedies(recipes: readonly EngineRecipe[]): string {
  return [
    `install Go ${OLDEST_GO} or later (https://go.dev/dl) and run \`meshscale engines install\` again`,
    ...downloadRemedy(recipes),
    `or put fitting versions on PATH: ${list(recipes, (r) => `${r.name} (${fitText(r)})`)}`,
    `or name a binary of yours: ${list(recipes, (r) => `${engineVariable(r.name)}=/path/to/${r.name}`)}`,
  ].join('\n');
}

function downloadRemedy(recipes: readonly EngineRecipe[]): readonly string[] {
  const published = recipes.filter((recipe) => recipe.release !== undefined);
  const unpublished = recipes.filter((recipe) => recipe.release === undefined);
  if (published.length === 0) return [];
  const names = list(published, (recipe) => recipe.name);
  const except =
    unpublished.length === 0
      ? ''
      : ` (not for ${list(unpublished, (recipe) => recipe.name)}: published as container images only)`;
  return [
    `or take the projects' own release files: \`meshscale engines install --from download\` for ${names}${except}; \`--url\` names a mirror`,
  ];
}

function list(recipes: readonly EngineRecipe[], text: (recipe: EngineRecipe) => string): string {
  return recipes.map(text).join(', ');
}
