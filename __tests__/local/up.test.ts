import { existsSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ENGINE_NAMES, type EngineName } from '../../local/engines/engine-names.js';
import { runningMarked } from '../../local/marked-processes.js';
import { up } from '../../local/up.js';
import type { UpRequest } from '../../local/up-request.js';
import { withMeshLock, type LocalWorld } from '../../local/world.js';
import { userErrorsOf } from '../../model/user-error.js';
import { GIB } from '../../model/quantity.js';
import { createLocalWorld, type TestLocalWorld } from '../helpers/local-world.js';

/** Real processes, though none of them is an engine. */
jest.setTimeout(60_000);

let test: TestLocalWorld;
beforeEach(async () => {
  test = await createLocalWorld();
});
afterEach(() => test.remove());

/** A mesh whose every engine is a shell script. */
const request = async (...script: readonly string[]): Promise<UpRequest> => {
  const program = join(dirname(test.paths.root), 'engine');
  await writeFile(program, ['#!/bin/sh', ...script, ''].join('\n'));
  await chmod(program, 0o755);
  const forAll = (value: string) =>
    Object.fromEntries(ENGINE_NAMES.map((name) => [name, value])) as Record<EngineName, string>;
  return {
    stateDir: test.paths.root,
    spec: { clusters: 2, nodes: 1, exportQps: 20, meshQps: 100 },
    programs: { engines: forAll(program), ourselves: { program, args: [] } },
    versions: forAll('1.0.0'),
  };
};
const failure = async (
  asked: UpRequest,
  changes: Partial<LocalWorld> = {},
): Promise<readonly { code: string; given: string | undefined }[]> => {
  const error: unknown = await up(asked, { ...test.world, ...changes }).catch((e: unknown) => e);
  return userErrorsOf(error).map(({ code, given }) => ({ code, given }));
};
const expectNothingLeft = (): void => {
  expect(runningMarked(test.paths.root, test.world)).toEqual([]);
  expect(existsSync(test.paths.root)).toBe(false);
};

describe('`up` that cannot succeed', () => {
  it('fails before it starts anything when memory is short, and leaves nothing', async () => {
    const host = { ...test.world.host, availableMemory: () => 1 * GIB };
    expect(await failure(await request(), { host })).toMatchObject([{ code: 'mesh/memory-short' }]);
    expectNothingLeft();
  });

  it('fails before it starts anything when the disk is short, and leaves nothing', async () => {
    const host = { ...test.world.host, freeDisk: () => Promise.resolve(0) };
    expect(await failure(await request(), { host })).toMatchObject([{ code: 'mesh/disk-short' }]);
    expectNothingLeft();
  });

  it('fails with the log of every engine that exits at its start, and leaves nothing', async () => {
    const errors = await failure(
      await request('echo "flag provided but not defined: $0"', 'exit 2'),
    );
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(['mesh/component-exited']));
    expect(errors[0]?.given).toContain('flag provided but not defined');
    expectNothingLeft();
  });

  it('fails after three attempts when its ports are taken again and again', async () => {
    const errors = await failure(await request('echo "bind: address already in use"', 'exit 1'));
    expect(errors[0]?.code).toBe('mesh/port-taken');
    expect(test.told.filter(({ text }) => text.endsWith(': once more'))).toHaveLength(2);
    expectNothingLeft();
  });

  it('is interrupted and takes everything away that it had started', async () => {
    const caller = new AbortController();
    const asked = await request('exec sleep 600');
    const running = failure(asked, { signal: caller.signal });
    while (runningMarked(test.paths.root, test.world).length < 4) await test.world.clock.sleep(5);
    caller.abort(new Error('interrupted by SIGINT'));
    expect(await running).toEqual([]);
    expect(test.text()).toContain('interrupted: removing the new mesh');
    expect(test.text()).toMatch(/is removed again: \d+ processes ended, nothing left/);
    expectNothingLeft();
  });

  it('fails for a folder of something else and does not touch it', async () => {
    await mkdir(join(test.paths.root, 'logs'), { recursive: true });
    expect(await failure(await request())).toMatchObject([{ code: 'mesh/state-foreign' }]);
    expect(existsSync(join(test.paths.root, 'logs'))).toBe(true);
  });

  it.each([
    ['of another version', '{"schemaVersion":2}', 'mesh/state-version'],
    ['damaged', '{"schemaVersion"', 'mesh/state-unreadable'],
  ])('fails for a mesh.json that is %s and leaves it as it is', async (_, text, code) => {
    await mkdir(test.paths.root);
    await writeFile(test.paths.meshFile, text);
    expect(await failure(await request())).toMatchObject([{ code }]);
    expect(existsSync(test.paths.meshFile)).toBe(true);
  });

  it('fails while another is at work', async () => {
    const asked = await request();
    await withMeshLock(test.paths.root, 'meshscale down', test.world, async () => {
      expect(await failure(asked)).toMatchObject([{ code: 'mesh/busy' }]);
    });
  });
});
