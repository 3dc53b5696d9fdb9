import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';

/** The release of this program: from package.json beside the sources, or beside dist/. */
export function programVersion(): string {
  const candidates = ['../../package.json', '../../../package.json'];
  const file = candidates
    .map((path) => new URL(path, import.meta.url))
    .find((path) => existsSync(path));
  if (file === undefined) throw new Error('package.json is not beside its program');
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(file, 'utf8'))).version;
}
