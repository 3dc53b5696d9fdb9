import type { EngineRecipe } from './recipe.js';

/** True when an engine of version `version` can take the place of the recipe's own. */
export function fits(recipe: EngineRecipe, version: string): boolean {
  const { fit } = recipe;
  switch (fit.kind) {
    case 'same-minor':
      return compareNumbers(version, recipe.version, 2) === 0;
    case 'at-least':
      return (
        compareNumbers(version, fit.version) >= 0 &&
        (fit.below === undefined || compareNumbers(version, fit.below) < 0)
      );
  }
}

/** The versions that fit, for people: `1.36.x`, `3.5.0 or later, below 4.0.0`. */
export function fitText(recipe: EngineRecipe): string {
  const { fit } = recipe;
  switch (fit.kind) {
    case 'same-minor':
      return `${recipe.version.split('.').slice(0, 2).join('.')}.x`;
    case 'at-least':
      return `${fit.version} or later${fit.below === undefined ? '' : `, below ${fit.below}`}`;
  }
}

/** Compares the first `parts` numbers of two versions; what follows a number is left out. */
export function compareNumbers(a: string, b: string, parts = 3): number {
  const left = numbers(a);
  const right = numbers(b);
  for (let index = 0; index < parts; index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function numbers(version: string): readonly number[] {
  return /^v?(\d+(?:\.\d+)*)/.exec(version)?.[1]?.split('.').map(Number) ?? [];
}
