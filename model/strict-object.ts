import { z } from 'zod';
import { nearestName } from './nearest-name.js';

/**
 * An object that refuses keys it doesn't know, and says which known key is nearest: a misspelt key
 * that is silently ignored is a measurement that nobody made.
 */
export function strictObject<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
): z.ZodObject<Shape, z.core.$strict> {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? unknownKeys(issue.keys, known) : undefined,
  });
}

function unknownKeys(keys: readonly string[], known: readonly string[]): string {
  const [key] = keys;
  const nearest = keys.length === 1 && key !== undefined ? nearestName(key, known) : undefined;
  return nearest === undefined ? `one of ${known.join(', ')}` : `"${nearest}"`;
}
