import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ERROR_CATALOGUES } from '../../scripts/error-catalogues.js';
import { errorPage } from '../../scripts/error-page.js';

const root = join(import.meta.dirname, '..', '..');
const ROOMS = /^(model|local|workload|fleet|sim|planner|formats|labs|constructs|stacks)\//;
const CODE = /^ {2}'([a-z0-9]+\/[a-z0-9-]+)':/gm;

describe('docs/errors.md', () => {
  it('lists every errors.ts of the project', async () => {
    const listed = ERROR_CATALOGUES.map(({ file }) => file);
    expect([...listed].sort()).toEqual(await errorFiles());
  });

  it('has every code of every errors.ts as an anchor', async () => {
    const page = errorPage(ERROR_CATALOGUES);
    for (const file of await errorFiles()) {
      const text = await readFile(join(root, file), 'utf8');
      const codes = [...text.matchAll(CODE)].map(([, code]) => code);
      expect({ file, codes: codes.length }).not.toEqual({ file, codes: 0 });
      expect(codes.filter((code) => !page.includes(`<a id="${code ?? ''}">`))).toEqual([]);
    }
  });

  it('fails on a code that two files make', () => {
    const meanings = { 'mesh/busy': { exit: 'busy', meaning: 'Busy.' } } as const;
    const twice = [
      { file: 'a/errors.ts', meanings },
      { file: 'b/errors.ts', meanings },
    ];
    expect(() => errorPage(twice)).toThrow('mesh/busy is made in a/errors.ts and in b/errors.ts');
  });

  it('fails on a code of an unknown area', () => {
    const meanings = { 'mash/busy': { exit: 'busy', meaning: 'Busy.' } } as const;
    expect(() => errorPage([{ file: 'a/errors.ts', meanings }])).toThrow(
      'a/errors.ts: mash/busy is of no known area',
    );
  });
});

async function errorFiles(): Promise<readonly string[]> {
  const rooms = (await readdir(root, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory() && ROOMS.test(`${entry.name}/`))
    .map(({ name }) => name);
  const files = await Promise.all(
    rooms.map(async (room) =>
      (await readdir(join(root, room), { recursive: true })).map((file) => `${room}/${file}`),
    ),
  );
  return files
    .flat()
    .filter((file) => file.endsWith('/errors.ts'))
    .sort();
}
