// Writes every generated file anew (npm run generate); with --check only says which ones are not up
// to date, and ends with 1 when there are any (npm run check:generated).
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { generatedFiles, staleFiles } from './generated-files.js';

const root = join(import.meta.dirname, '..');
const files = await generatedFiles(root);

if (process.argv.includes('--check')) {
  const stale = await staleFiles(root, files);
  for (const line of stale) process.stderr.write(`${line}\n`);
  if (stale.length > 0) process.stderr.write('run `npm run generate` and commit the result\n');
  process.exitCode = stale.length === 0 ? 0 : 1;
} else {
  for (const { path, text } of files) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  process.stdout.write(`${files.map(({ path }) => path).join('\n')}\n`);
}
