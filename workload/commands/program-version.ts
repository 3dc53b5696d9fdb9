import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../platform/package-folder.js';

/** The release of this program, from its `package.json`. Without a schema: `--help` waits for this. */
export function programVersion(): string {
  const file = join(packageFolder(import.meta.dirname), 'package.json');
  const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (typeof parsed === 'object' && parsed !== null && 'version' in parsed) {
    return String(parsed.version);
  }
  throw new Error(`${file} has no version`);
}
