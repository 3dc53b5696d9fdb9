import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { findEngines, resolveEngines } from '../../../local/engines/resolve-engines.js';
import { ENGINE_NAMES } from '../../../local/engines/engine-names.js';
import { userErrorsOf } from '../../../model/user-error.js';
import { createEngineWorld, engineScript, type EngineWorld } from '../../helpers/engine-world.js';

// Dozens of short programs run in some of these; a busy machine needs its time.
jest.setTimeout(60_000);

let world: EngineWorld;
beforeEach(async () => {
  world = await createEngineWorld();
});
afterEach(() => world.remove());

const own = async (text?: string): Promise<string> => {
  const file = join(world.root, 'my-etcd');
  await writeFile(file, engineScript('etcd', text));
  await chmod(file, 0o755);
  return file;
};
const explicitly = (path: string) =>
  world.with({ env: { ...world.context.env, MESHSCALE_ENGINE_ETCD: path } });
const errorsOf = (work: Promise<unknown>) =>
  work.then(
    () => [],
    (error: unknown) => userErrorsOf(error),
  );

describe('resolving engines', () => {
  it('takes the explicit one, then PATH, then the cache, then a build', async () => {
    await world.go();
    const sources: string[] = [];
    const look = async (context = world.context) => {
      const { etcd } = await resolveEngines(['etcd'], context);
      sources.push(etcd.source);
      return etcd;
    };
    await look();
    await look();
    await world.program('etcd', "echo 'etcd Version: 3.5.9'");
    expect((await look()).version).toBe('3.5.9');
    const file = await own();
    expect((await look(explicitly(file))).path).toBe(file);
    expect(sources).toEqual(['built', 'cache', 'path', 'explicit']);
  });

  it('passes over versions on PATH that do not fit, and looks in every folder', async () => {
    const second = join(world.root, 'second');
    await mkdir(second);
    await writeFile(join(second, 'etcd'), engineScript('etcd'), { mode: 0o755 });
    await world.program('etcd', "echo 'etcd Version: 3.4.23'");
    const env = { PATH: `${join(world.root, 'bin')}:${second}` };
    const { etcd } = await resolveEngines(['etcd'], world.with({ env }));
    expect(etcd).toEqual({
      name: 'etcd',
      version: '3.6.12',
      path: join(second, 'etcd'),
      source: 'path',
    });
  });

  it('builds nothing and runs nothing for what the cache holds', async () => {
    await world.go();
    const first = await resolveEngines(ENGINE_NAMES, world.context);
    await world.program('go', 'exit 1');
    const second = await resolveEngines(ENGINE_NAMES, world.context);
    expect(Object.values(second).map(({ path }) => path)).toEqual(
      Object.values(first).map(({ path }) => path),
    );
    expect(await world.builds()).toHaveLength(ENGINE_NAMES.length);
  });

  it('uses an explicit binary of another version and says so', async () => {
    const file = await own('etcd Version: 3.4.1');
    const { etcd } = await resolveEngines(['etcd'], explicitly(file));
    expect(etcd.version).toBe('3.4.1');
    expect(world.told.map(({ text }) => text).join()).toContain(
      '3.4.1 is used as MESHSCALE_ENGINE_ETCD says',
    );
  });

  it.each([
    ['is not there', () => Promise.resolve('/nowhere/etcd'), 'missing or not executable'],
    ['tells no version', () => own('hello'), 'told no version'],
    ['ends badly', () => world.program('broken', 'echo oops >&2', 'exit 3'), 'ended with 3: oops'],
  ])('fails when the explicit binary %s', async (_, make, why) => {
    const given = await make();
    const [error] = await errorsOf(resolveEngines(['etcd'], explicitly(given)));
    expect(error?.code).toBe('engine/explicit-not-runnable');
    expect(error?.problem).toContain(why);
    expect(error?.given).toBe(`MESHSCALE_ENGINE_ETCD=${given}`);
  });

  it('fails once for all engines that need Go when there is none, with every remedy', async () => {
    const errors = await errorsOf(resolveEngines(['etcd', 'kvstoremesh'], world.context));
    expect(errors.map(({ code }) => code)).toEqual(['engine/no-toolchain']);
    expect(errors[0]?.problem).toContain('etcd, kvstoremesh');
    for (const remedy of [
      'install Go 1.26.0',
      '--from download` for etcd (not for kvstoremesh',
      'on PATH: etcd (3.5.0 or later, below 4.0.0), kvstoremesh (1.20.x)',
      'MESHSCALE_ENGINE_KVSTOREMESH=/path/to/kvstoremesh',
    ]) {
      expect(errors[0]?.next).toContain(remedy);
    }
  });

  it('fails with all problems of all engines together', async () => {
    const context = explicitly('/nowhere/etcd');
    const errors = await errorsOf(resolveEngines(['etcd', 'kwok'], context));
    expect(errors.map(({ code }) => code).sort()).toEqual([
      'engine/explicit-not-runnable',
      'engine/no-toolchain',
    ]);
  });

  it('fails when Go is older than the modules want', async () => {
    await world.go([], 'go1.22.1');
    const [error] = await errorsOf(resolveEngines(['kwok'], world.context));
    expect(error).toMatchObject({ code: 'engine/go-too-old', given: 'go1.22.1' });
  });
});

describe('looking for engines', () => {
  it('installs nothing', async () => {
    await world.go();
    await world.program('kwok', "echo 'kwok version v0.8.3'");
    const search = await findEngines(['kwok', 'etcd'], world.context);
    expect(search.found.map(({ name }) => name)).toEqual(['kwok']);
    expect(search.missing).toEqual(['etcd']);
    expect(await world.builds()).toEqual([]);
  });
});
