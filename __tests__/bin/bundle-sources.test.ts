import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { withTemporaryFolder } from '../helpers/temporary-folder.js';

const SCRIPT = join(import.meta.dirname, '..', '..', 'bin', 'bundle-sources.js');

describe('the bundle of the sources', () => {
  it('is made once for one state of the sources', () =>
    inPackage(async ({ bundle, bundles }) => {
      const first = await bundle();
      expect(await bundle()).toBe(first);
      expect(await readFile(first, 'utf8')).toContain('"first"');
      expect(await bundles()).toHaveLength(1);
    }));

  it('is made anew when a source has changed, and the older one stays for what still runs', () =>
    inPackage(async ({ bundle, source }) => {
      const first = await bundle();
      await source('export const main = (): string => "the second";');
      const second = await bundle();
      expect(await readFile(second, 'utf8')).toContain('"the second"');
      expect(await readFile(first, 'utf8')).toContain('"first"');
    }));

  it('is whole and made without leftovers when several starts make it at once', () =>
    inPackage(async ({ bundle, bundles }) => {
      const all = await Promise.all([bundle(), bundle(), bundle()]);
      expect(new Set(all).size).toBe(1);
      expect(await readFile(all[0], 'utf8')).toContain('"first"');
      expect(await bundles()).toHaveLength(1);
    }));

  it('fails for sources that are not TypeScript, and leaves nothing behind', () =>
    inPackage(async ({ bundle, bundles, source }) => {
      await source('export const = 1;');
      await expect(bundle()).rejects.toThrow(/cli\.ts:1:13/);
      expect(await bundles()).toEqual([]);
    }));

  it('fails when there is no program among the sources', () =>
    inPackage(async ({ bundle, folder }) => {
      await rm(join(folder, 'workload', 'cli.ts'));
      await expect(bundle()).rejects.toThrow(/workload\/cli\.ts/);
    }));
});

interface Package {
  readonly folder: string;
  readonly bundle: () => Promise<string>;
  readonly bundles: () => Promise<string[]>;
  readonly source: (text: string) => Promise<void>;
}

/** A package of one source, in a folder of its own. */
function inPackage(use: (given: Package) => Promise<void>): Promise<void> {
  return withTemporaryFolder(async (folder) => {
    const script = (await import(pathToFileURL(SCRIPT).href)) as {
      bundledCli(root: string): Promise<string>;
    };
    const source = (text: string) => writeFile(join(folder, 'workload', 'cli.ts'), text);
    for (const name of ['bin', 'workload']) await mkdir(join(folder, name));
    await cp(SCRIPT, join(folder, 'bin', 'bundle-sources.js'));
    for (const name of ['package.json', 'package-lock.json']) {
      await writeFile(join(folder, name), '{}');
    }
    await writeFile(join(folder, 'tsconfig.build.json'), '{"include":["workload"]}');
    await source('export const main = (): string => "first";');
    await use({
      folder,
      source,
      bundle: () => script.bundledCli(folder),
      bundles: () => readdir(join(folder, '.cache', 'cli')),
    });
  });
}
