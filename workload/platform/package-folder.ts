import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The folder of our own `package.json`, seen from the sources, from `dist/` and from a bundle of
 * the sources alike: what is shipped beside the code is found from it. Give `import.meta.dirname`.
 */
export function packageFolder(from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (folder === dirname(folder)) throw new Error(`no package.json above ${from}`);
  }
}
