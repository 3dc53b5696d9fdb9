import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { cachePaths, namesIn } from '../../../local/engines/cache.js';
import { resolveEngines } from '../../../local/engines/resolve-engines.js';
import { userErrorsOf } from '../../../model/user-error.js';
import { GIB } from '../../../model/quantity.js';
import { createEngineWorld, type EngineWorld } from '../../helpers/engine-world.js';

// Dozens of short programs run in some of these; a busy machine needs its time.
jest.setTimeout(60_000);

let world: EngineWorld;
beforeEach(async () => {
  world = await createEngineWorld();
});
afterEach(() => world.remove());

const errorsOf = (work: Promise<unknown>) =>
  work.then(
    () => [],
    (error: unknown) => userErrorsOf(error),
  );
const partials = () => namesIn(cachePaths(world.context.cacheDir).partial);

describe('building an engine', () => {
  it('asks Go for a static, path-free binary that knows its version', async () => {
    await world.go();
    await resolveEngines(['kube-scheduler'], world.context);
    const [command] = await world.builds();
    expect(command).toContain('build -mod=readonly -trimpath -buildvcs=false -ldflags -s -w');
    expect(command).toContain('-X k8s.io/component-base/version.gitVersion=v1.36.3');
    expect(command).toMatch(/k8s\.io\/kubernetes\/cmd\/kube-scheduler$/);
  });

  it('keeps the Go settings of the user, without those that change what is built', async () => {
    await world.go([`/usr/bin/env > '${world.root}/env'`]);
    const theirs = { GOPROXY: 'http://proxy', GOFLAGS: '-race', GOOS: 'plan9', GOWORK: '/x' };
    const env = { ...world.context.env, ...theirs };
    await resolveEngines(['etcd'], world.with({ env }));
    const seen = (await readFile(join(world.root, 'env'), 'utf8')).split('\n');
    for (const line of [
      'GOPROXY=http://proxy',
      'GOFLAGS=-mod=readonly',
      'GOWORK=off',
      'GOOS=linux',
      'CGO_ENABLED=0',
    ]) {
      expect(seen).toContain(line);
    }
  });

  it('tells what is built and how long it may take', async () => {
    await world.go();
    await resolveEngines(['kube-apiserver'], world.context);
    const texts = world.told
      .filter(({ subject }) => subject === 'kube-apiserver')
      .map(({ text }) => text);
    expect(texts[0]).toMatch(/^building 1\.36\.3 from its Go module, up to about 5 min 58 s/);
    expect(texts.at(-1)).toMatch(/took \d/);
  });

  it('builds again when a module file changed, and not otherwise', async () => {
    await world.go();
    const modules = join(world.root, 'engines/control-plane');
    const build = () => resolveEngines(['kvstoremesh'], world.context);
    const first = await build();
    await writeFile(join(modules, 'kvstoremesh/main.go'), 'package main // other\n');
    const second = await build();
    await writeFile(join(modules, 'go.sum'), 'other\n');
    await build();
    await build();
    expect(second.kvstoremesh.path).not.toBe(first.kvstoremesh.path);
    expect(await world.builds()).toHaveLength(3);
  });

  it('installs once when two installers want the same', async () => {
    await world.go(['/bin/sleep 0.3']);
    const both = await Promise.all([
      resolveEngines(['etcd', 'kwok'], world.context),
      resolveEngines(['etcd', 'kwok'], world.context),
    ]);
    expect(await world.builds()).toHaveLength(2);
    expect(both[0].etcd.path).toBe(both[1].etcd.path);
    expect(both.map(({ etcd }) => etcd.source).sort()).toEqual(['built', 'cache']);
  });

  it('leaves nothing half made when it is interrupted, and goes on the next time', async () => {
    const interrupt = new AbortController();
    await world.go([`: > '${world.root}/started'`, '/bin/sleep 30']);
    const work = resolveEngines(['etcd'], world.with({ signal: interrupt.signal }));
    const settled = expect(work).rejects.toThrow('stop');
    while (!(await readdir(world.root)).includes('started')) await world.context.clock.sleep(5);
    interrupt.abort(new Error('stop'));
    await settled;
    const { locks, store } = cachePaths(world.context.cacheDir);
    expect([await partials(), await namesIn(locks), await namesIn(store)]).toEqual([[], [], []]);
    await world.go();
    expect((await resolveEngines(['etcd'], world.context)).etcd.source).toBe('built');
  });

  it('takes over from an installer that was killed, and sweeps what it left', async () => {
    const { locks, partial } = cachePaths(world.context.cacheDir);
    await world.go();
    await resolveEngines(['kwok'], world.context);
    const dead = { pid: 999_999_999, startTime: '1', host: (await import('node:os')).hostname() };
    await writeFile(join(locks, 'etcd.lock'), JSON.stringify({ ...dead, purpose: 'install' }));
    await writeFile(join(partial, 'etcd~left'), 'half a binary');
    await resolveEngines(['etcd'], world.context);
    expect([await partials(), await namesIn(locks)]).toEqual([[], []]);
  });
});

describe('a build that does not work', () => {
  it("fails with the end of Go's own words, and tries the other engines", async () => {
    await world.go(['case "$out" in */etcd) echo "dial tcp: no route" >&2; exit 1 ;; esac']);
    const errors = await errorsOf(resolveEngines(['etcd', 'kwok'], world.context));
    expect(errors.map(({ code }) => code)).toEqual(['engine/build-failed']);
    expect(errors[0]?.given).toBe('dial tcp: no route');
    expect(errors[0]?.next).toContain('MESHSCALE_ENGINE_ETCD');
    expect((await resolveEngines(['kwok'], world.context)).kwok.source).toBe('cache');
    expect(await partials()).toEqual([]);
  });

  it('fails when Go is killed, and says that memory may be short', async () => {
    await world.go(['kill -9 $$']);
    const [error] = await errorsOf(resolveEngines(['etcd'], world.context));
    expect(error?.given).toContain('ended by SIGKILL (memory short?)');
  });

  it('fails when the binary reports another version, and keeps nothing of it', async () => {
    await world.go();
    await world.program(
      'go',
      'if [ "$1" = env ]; then echo go1.26.8; echo /m; echo /b; exit 0; fi',
      'while [ "$1" != -o ]; do shift; done',
      `echo "#!/bin/sh" > "$2"; echo "echo 'etcd Version: 3.4.9'" >> "$2"`,
    );
    const [error] = await errorsOf(resolveEngines(['etcd'], world.context));
    expect(error).toMatchObject({ code: 'engine/not-fitting', given: 'version 3.4.9' });
    expect(await namesIn(cachePaths(world.context.cacheDir).store)).toEqual([]);
  });

  it.each([
    ['the cache', 0.1 * GIB, 'room for etcd'],
    ["Go's caches", 2 * GIB, "room for building etcd (Go's caches)"],
  ])('fails before it writes when the disk is short for %s', async (_, free, problem) => {
    await world.go();
    const host = { ...world.context.host, freeDisk: () => Promise.resolve(free) };
    const errors = await errorsOf(resolveEngines(['etcd', 'kwok'], world.with({ host })));
    expect(errors.map(({ code }) => code)).toEqual(['engine/disk-short']);
    expect(errors[0]?.problem).toContain(problem);
    expect(await world.builds()).toEqual([]);
  });

  it('fails when a file stands where the cache should be', async () => {
    await world.go();
    await writeFile(world.context.cacheDir, '');
    const errors = await errorsOf(resolveEngines(['etcd', 'kwok'], world.context));
    expect(errors.map(({ code }) => code)).toEqual(['engine/cache-unwritable']);
    expect(errors[0]?.next).toContain('MESHSCALE_CACHE');
  });
});
