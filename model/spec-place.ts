import type { ErrorPlace } from './user-error.js';

/** Where in the user's own input a path of the spec stands. */
export type PlaceOf = (path: readonly (string | number)[]) => ErrorPlace;

/** `clusters[2].addresses.pods`: the place of a spec that is a value in code. */
export function pathPlace(path: readonly (string | number)[]): ErrorPlace {
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return { path: text.replace(/^\./u, '') };
}
