import { mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../platform/files.js';

/**
 * Moves what the probes of an attempt that is made again have seen into a folder beside: it is kept,
 * and no row is made of it.
 */
export async function setAsideProbes(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  });
  const lines = names.filter((name) => name.endsWith('.jsonl'));
  if (lines.length === 0) return;
  const aside = join(folder, `earlier-${names.length - lines.length + 1}`);
  await mkdir(aside, { recursive: true });
  for (const name of lines) await rename(join(folder, name), join(aside, name));
}
