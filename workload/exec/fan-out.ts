/**
 * Runs `deed` for every item, at most `limit` at once, in their order; a place that becomes free is
 * taken at once, so that a slow one holds one place and nobody else. Once one has rejected no other is
 * begun, and the first reason is given when all that had begun are over.
 */
export async function fanOut<T, R>(
  items: readonly T[],
  limit: number,
  deed: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results = new Map<number, R>();
  const failures: unknown[] = [];
  let next = 0;
  const place = async (): Promise<void> => {
    while (next < items.length && failures.length === 0) {
      const index = next;
      next += 1;
      const item = items[index];
      if (item === undefined) continue;
      try {
        results.set(index, await deed(item));
      } catch (error) {
        failures.push(error);
      }
    }
  };
  const places = Math.min(Math.max(1, limit), items.length);
  await Promise.all(Array.from({ length: places }, place));
  if (failures.length > 0) throw failures[0];
  return [...results].sort(([one], [other]) => one - other).map(([, result]) => result);
}
