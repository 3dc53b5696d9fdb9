import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { cachePaths, namesIn } from '../../../local/engines/cache.js';
import { resolveEngines } from '../../../local/engines/resolve-engines.js';
import { createEngineWorld, type EngineWorld } from '../../helpers/engine-world.js';

// Several short programs run in some of these; a busy machine needs its time.
jest.setTimeout(60_000);

let world: EngineWorld;
beforeEach(async () => {
  world = await createEngineWorld();
  await world.program(
    'dpkg-deb',
    '[ "$1" = -x ] || exit 1',
    '/bin/mkdir -p root/usr/bin',
    `echo '#!/bin/sh' > root/usr/bin/prometheus`,
    `echo "echo 'prometheus, version 2.42.0+ds'" >> root/usr/bin/prometheus`,
  );
});
afterEach(() => world.remove());

const apt = (...lines: readonly string[]) =>
  world.program('apt-get', `echo "$@" >> '${world.root}/apt.log'`, ...lines);
const install = () => resolveEngines(['prometheus'], world.context);
const told = () => world.told.map(({ text }) => text).join('\n');

describe("Prometheus from Debian's package", () => {
  it('is fetched and unpacked without touching the system', async () => {
    await apt('case "$*" in *download*) echo deb > prometheus_2.42_amd64.deb ;; esac');
    const { prometheus } = await install();
    expect(prometheus).toMatchObject({ version: '2.42.0+ds', source: 'package' });
    expect((await install()).prometheus.source).toBe('cache');
    expect(await namesIn(cachePaths(world.context.cacheDir).partial)).toEqual([]);
  });

  it('is fetched with fresh lists of our own when those of the system do not have it', async () => {
    await apt(
      'case "$*" in',
      `*-c\\ */apt.conf\\ update*) : > '${world.root}/fresh' ;;`,
      `*download*) [ -e '${world.root}/fresh' ] || exit 100; echo deb > prometheus_2.42.deb ;;`,
      'esac',
    );
    expect((await install()).prometheus.source).toBe('package');
  });

  it('gives way to a build when it cannot be had', async () => {
    await apt('echo "E: Unable to locate package prometheus" >&2', 'exit 100');
    await world.go();
    const { prometheus } = await install();
    expect(prometheus.source).toBe('built');
    expect(told()).toContain('Unable to locate package prometheus');
  });

  it('is not asked for when a build was', async () => {
    await apt('exit 1');
    await world.go();
    const { prometheus } = await resolveEngines(['prometheus'], world.with({ from: 'build' }));
    expect(prometheus.source).toBe('built');
    expect(await namesIn(world.root)).not.toContain('apt.log');
  });

  it('fails with the remedies when there is neither package nor Go', async () => {
    await apt('exit 100');
    await expect(install()).rejects.toMatchObject({
      code: 'engine/no-toolchain',
      next: expect.stringContaining('MESHSCALE_ENGINE_PROMETHEUS') as unknown,
    });
  });
});
