// The TypeScript sources as plain JavaScript in .cache/cli/<key>/, made once for each state of the
// sources. A local mesh starts this program once per cluster and once more for its links: bundled,
// a start takes 0.4 CPU seconds; through a loader that compiles file by file it took 1.9.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Packages that every command or every part of a mesh loads: 300 files, which took 0.4 of 0.8 CPU
 * seconds. Only those that read nothing from their own folder can be moved.
 */
const INLINED = new Set(['commander', 'ipaddr.js', 'undici', 'yaml', 'zod']);
const REQUIRE =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";
/** A long-lived process may still load parts of an older bundle, so those stay for some days. Chosen. */
const KEEP_MS = 7 * 24 * 3_600_000;

/** Path of the bundled `cli.js` for the sources below `root` as they are now. */
export async function bundledCli(root) {
  const bundles = join(root, '.cache', 'cli');
  const bundle = join(bundles, keyOf(root));
  const entry = join(bundle, 'cli.js');
  if (!existsSync(entry)) {
    await build(root, bundle);
    forgetOld(bundles);
  }
  // The time of the last use: what forgetOld goes by.
  utimesSync(bundle, new Date(), new Date());
  return entry;
}

/** Changes with every source file and with every installed version. */
function keyOf(root) {
  const hash = createHash('sha256').update(process.version);
  for (const file of ['package-lock.json', 'bin/bundle-sources.js', ...sourcesOf(root)]) {
    const { size, mtimeMs } = statSync(join(root, file));
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}

/** The rooms that the built program consists of. */
function sourcesOf(root) {
  return readJson(join(root, 'tsconfig.build.json'))
    .include.flatMap((room) =>
      readdirSync(join(root, room), { recursive: true }).map((path) => join(room, path)),
    )
    .filter((path) => path.endsWith('.ts'))
    .sort();
}

/** Two starts at once both build; the second finds the first one's result in its place. */
async function build(root, bundle) {
  const esbuild = await import('esbuild');
  mkdirSync(dirname(bundle), { recursive: true });
  const unfinished = mkdtempSync(`${bundle}.`);
  try {
    // Synchronous, because the other kind keeps a process of esbuild's for as long as ours lives.
    esbuild.buildSync({
      absWorkingDir: root,
      entryPoints: ['workload/cli.ts'],
      outdir: unfinished,
      bundle: true,
      splitting: true,
      sourcemap: 'linked',
      external: externalPackages(root),
      // What is CommonJS inside still asks for Node's own modules by require.
      banner: { js: REQUIRE },
      format: 'esm',
      platform: 'node',
      target: 'node20',
      logLevel: 'silent',
    });
    renameSync(unfinished, bundle);
  } catch (error) {
    if (!existsSync(bundle)) throw error;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

function externalPackages(root) {
  const { dependencies, devDependencies, optionalDependencies } = readJson(
    join(root, 'package.json'),
  );
  const all = { ...dependencies, ...devDependencies, ...optionalDependencies };
  return Object.keys(all).filter((name) => !INLINED.has(name));
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function forgetOld(bundles) {
  for (const name of readdirSync(bundles)) {
    const path = join(bundles, name);
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
    if (Date.now() - mtimeMs > KEEP_MS) rmSync(path, { recursive: true, force: true });
  }
}
