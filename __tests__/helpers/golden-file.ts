import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '..', 'golden');

/**
 * The text of a golden file. Only with MESHSCALE_UPDATE_GOLDENS=1, and never in CI, it is first written
 * anew: look at the difference before it is committed.
 */
export async function golden(name: string, actual: string): Promise<string> {
  const file = join(FOLDER, name);
  const update = process.env['MESHSCALE_UPDATE_GOLDENS'] === '1' && process.env['CI'] === undefined;
  if (update) await writeFile(file, actual);
  return await readFile(file, 'utf8');
}
