import { throwAll, userErrorsOf } from '../model/user-error.js';

/**
 * Runs deeds side by side and waits for all of them, so that nothing is still being started when a
 * failure is cleaned up. The first failure aborts the others; throws every user error among them,
 * or else the first failure.
 */
export async function together<T>(
  signal: AbortSignal,
  deeds: readonly ((signal: AbortSignal) => Promise<T>)[],
): Promise<readonly T[]> {
  const failure = new AbortController();
  const both = AbortSignal.any([signal, failure.signal]);
  const failures: unknown[] = [];
  const results = await Promise.all(
    deeds.map(async (deed) => {
      try {
        return [await deed(both)];
      } catch (error) {
        failures.push(error);
        failure.abort(new Error('another part of the mesh failed'));
        return [];
      }
    }),
  );
  throwAll(failures.flatMap((error) => userErrorsOf(error)));
  if (failures.length > 0) throw failures[0];
  return results.flat();
}
