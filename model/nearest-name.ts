/**
 * The candidate that `name` was probably meant to be, or undefined when none is close. Case and
 * punctuation count less than letters, so `global_services` finds `globalServices`.
 */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: distanceOf(plain(name), plain(candidate)) }))
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  if (best === undefined) return undefined;
  return best.distance <= tolerance(name) ? best.candidate : undefined;
}

/** Two slips in a short word are another word; chosen by us so that `hold` never becomes `load`. */
function tolerance(name: string): number {
  return Math.max(1, Math.floor(plain(name).length / 3));
}

function plain(name: string): readonly string[] {
  return name.toLowerCase().match(/[a-z0-9]/g) ?? [];
}

/** Levenshtein's distance: one insertion, deletion or replacement each counts one. */
function distanceOf(from: readonly string[], to: readonly string[]): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [row, letter] of from.entries()) {
    const current = [row + 1];
    for (const [column, other] of to.entries()) {
      const replaced = (previous[column] ?? 0) + (letter === other ? 0 : 1);
      const inserted = (current[column] ?? 0) + 1;
      const deleted = (previous[column + 1] ?? 0) + 1;
      current.push(Math.min(replaced, inserted, deleted));
    }
    previous = current;
  }
  return previous[to.length] ?? 0;
}
