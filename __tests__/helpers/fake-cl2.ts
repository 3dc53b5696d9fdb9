import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

/** A stand-in for ClusterLoader2 in a folder of its own. */
export interface FakeCl2 {
  readonly binary: string;
  /** Which ending it takes, by cluster or `default`. */
  readonly script: (endings: Readonly<Record<string, FakeEnding>>) => Promise<void>;
  remove(): Promise<void>;
}

/** One entry of its script. */
export interface FakeEnding {
  readonly ending: string;
  readonly atStep?: number;
  readonly untilAttempt?: number;
}

/** Bundles the stand-in once for a test file: from its sources it would take a second to start. */
export async function buildFakeCl2(): Promise<FakeCl2> {
  const folder = await mkdtemp(join(tmpdir(), 'fake-cl2-'));
  const binary = join(folder, 'clusterloader2');
  const outfile = join(folder, 'bundle.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, '../../sim/fake-cl2/main.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['@kubernetes/client-node'],
    logLevel: 'silent',
    banner: {
      // Packages inside of the bundle may still ask for `require`.
      js: `#!${process.execPath}\nimport { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);`,
    },
  });
  // Without an ending in its name Node would take it for CommonJS.
  await writeFile(binary, `#!/bin/sh\nexec ${process.execPath} ${outfile} "$@"\n`);
  await chmod(binary, 0o755);
  return {
    binary,
    script: (endings) => writeFile(join(folder, 'fake-cl2.json'), JSON.stringify(endings)),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
