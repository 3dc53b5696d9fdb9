import { readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { cachePaths } from '../../../local/engines/cache.js';
import { cleanCache } from '../../../local/engines/clean-cache.js';
import { cacheDirectory } from '../../../local/engines/engine-context.js';
import { listCache } from '../../../local/engines/list-cache.js';
import { resolveEngines } from '../../../local/engines/resolve-engines.js';
import { createEngineWorld, type EngineWorld } from '../../helpers/engine-world.js';

// Dozens of short programs run in some of these; a busy machine needs its time.
jest.setTimeout(60_000);

let world: EngineWorld;
beforeEach(async () => {
  world = await createEngineWorld();
  await world.go();
});
afterEach(() => world.remove());

const install = async () => (await resolveEngines(['kwok'], world.context)).kwok;
const states = async (thoroughness?: 'thorough') =>
  (await listCache(world.context, thoroughness)).map(({ engine, state }) => `${engine} ${state}`);
/** Another content of the same length. */
const flip = async (file: string) => {
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace('v0.8.0', 'v0.8.9'));
};

describe('the cache', () => {
  it.each([
    ['is cut', (file: string) => truncate(file, 5)],
    ['is gone', (file: string) => rm(file)],
    ['has another byte', flip],
    ['lost its manifest', (file: string) => rm(join(dirname(file), 'manifest.json'))],
    [
      'has a broken manifest',
      (file: string) => writeFile(join(dirname(file), 'manifest.json'), '{'),
    ],
  ])('replaces an entry that %s', async (_, damage) => {
    const { path } = await install();
    await damage(path);
    expect(await states()).toEqual(['kwok corrupt']);
    const again = await install();
    expect(again).toMatchObject({ path, source: 'built' });
    expect(await readFile(path, 'utf8')).toContain('v0.8.0');
    expect(await states('thorough')).toEqual(['kwok current']);
  });

  it('tells that a corrupt entry is not used', async () => {
    const { path } = await install();
    await truncate(path, 5);
    await install();
    expect(world.told.map(({ text }) => text).join('\n')).toContain('is corrupt and is not used');
  });

  it('finds a changed byte behind an unchanged date only when it looks thoroughly', async () => {
    const { path } = await install();
    const manifest = join(dirname(path), 'manifest.json');
    await flip(path);
    const time = new Date(1_700_000_000_000);
    await utimes(path, time, time);
    const facts: Record<string, unknown> = JSON.parse(await readFile(manifest, 'utf8')) as never;
    await writeFile(manifest, JSON.stringify({ ...facts, modified: time.getTime() }));
    expect(await states()).toEqual(['kwok current']);
    expect(await states('thorough')).toEqual(['kwok corrupt']);
  });

  it('is still good after it was copied with other dates', async () => {
    const { path } = await install();
    await utimes(path, new Date(), new Date(1_600_000_000_000));
    expect(await install()).toMatchObject({ path, source: 'cache' });
    expect(await world.builds()).toHaveLength(1);
  });

  it('lies where the environment says', () => {
    expect(cacheDirectory({ MESHSCALE_CACHE: '/a', XDG_CACHE_HOME: '/b', HOME: '/c' })).toBe('/a');
    expect(cacheDirectory({ XDG_CACHE_HOME: '/b', HOME: '/c' })).toBe('/b/meshscale');
    expect(cacheDirectory({ MESHSCALE_CACHE: '', HOME: '/c' })).toBe('/c/.cache/meshscale');
  });
});

describe('cleaning the cache', () => {
  it('removes what is old, broken or unfinished, and keeps what is used', async () => {
    const old = await install();
    await writeFile(join(world.root, 'engines/control-plane/go.sum'), 'other\n');
    const { path } = await install();
    const { partial, store } = cachePaths(world.context.cacheDir);
    await writeFile(join(partial, 'etcd~left'), 'half');
    await writeFile(join(dirname(old.path), '..', 'stray'), 'what is this');
    const removed = await cleanCache(world.context);
    expect(removed.map(({ engine, state }) => `${engine} ${state}`).sort()).toEqual([
      'etcd partial',
      'kwok corrupt',
      'kwok old',
    ]);
    expect(await states()).toEqual(['kwok current']);
    expect(path.startsWith(store)).toBe(true);
  });

  it('removes everything of the engines that are named', async () => {
    await resolveEngines(['kwok', 'etcd'], world.context);
    const removed = await cleanCache(world.context, ['kwok']);
    expect(removed.map(({ engine, size }) => [engine, size > 0])).toEqual([['kwok', true]]);
    expect(await states()).toEqual(['etcd current']);
  });

  it('makes no folder where there is no cache', async () => {
    expect(await cleanCache(world.context)).toEqual([]);
    expect(await listCache(world.context)).toEqual([]);
  });
});
