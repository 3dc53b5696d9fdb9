// Runs a TypeScript program of this project, by default the app of `cdktf.json`: bundled by esbuild, with
// packages left outside. A loader such as tsx costs more CPU time than synthesizing the mesh itself.
//   node scripts/synth.js [entry] [arguments]
import { mkdir, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const [entry = join(root, 'main.ts'), ...rest] = process.argv.slice(2);
// Inside of the project, so that its packages are found; a file for each process.
const folder = join(root, '.cache/synth');
const outfile = join(folder, `${basename(entry, '.ts')}-${process.pid}.cjs`);
await mkdir(folder, { recursive: true });
try {
  await build({
    entryPoints: [resolve(entry)],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    // cdktf is CommonJS; imported from an ES module, Node would read all of it for its names first.
    format: 'cjs',
    // What is bundled is not in its own folder any more.
    define: { __dirname: 'undefined' },
    target: 'node20',
    logLevel: 'warning',
  });
  process.argv.splice(1, Infinity, entry, ...rest);
  await import(pathToFileURL(outfile).href);
} finally {
  await rm(outfile, { force: true });
}
