// Builds what platform teams import (npm run build:library): the constructs and the model as
// CommonJS with one file per source file, and a thin ES module in front of each door. cdktf is
// CommonJS, and so each class is there once, whichever way it is imported.
import { spawnSync } from 'node:child_process';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');
const out = join(root, 'dist/cjs');
const DOORS = ['constructs', 'model'];

await rm(out, { recursive: true, force: true });
const types = spawnSync('npx', ['tsc', '-p', 'tsconfig.library.json'], {
  cwd: root,
  stdio: 'inherit',
});
if (types.status !== 0) throw new Error('the types of the library could not be built');
await build({
  absWorkingDir: root,
  entryPoints: (await Promise.all(DOORS.map(sourcesOf))).flat(),
  outdir: 'dist/cjs',
  outbase: '.',
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  logLevel: 'warning',
});
await writeFile(join(out, 'package.json'), '{ "type": "commonjs" }\n');
for (const door of DOORS) await writeDoor(door);

async function sourcesOf(folder: string): Promise<readonly string[]> {
  const names = await readdir(join(root, folder));
  return names.filter((name) => name.endsWith('.ts')).map((name) => join(folder, name));
}

/** Names are written out: Node finds only some of those of a CommonJS module by itself. */
async function writeDoor(door: string): Promise<void> {
  const loaded: unknown = createRequire(import.meta.url)(join(out, door, 'index.js'));
  const names = Object.keys(loaded as object).sort();
  await mkdir(join(root, 'dist/esm'), { recursive: true });
  const lines = [
    `import door from '../cjs/${door}/index.js';`,
    `export const { ${names.join(', ')} } = door;`,
  ];
  await writeFile(join(root, `dist/esm/${door}.mjs`), `${lines.join('\n')}\n`);
  await writeFile(
    join(root, `dist/esm/${door}.d.mts`),
    `export * from '../cjs/${door}/index.js';\n`,
  );
}
