import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Command } from 'commander';
import { registerDoctor } from '../../../workload/commands/doctor.js';
import { registerEngines } from '../../../workload/commands/engines.js';
import type { CommandContext } from '../../../workload/commands/context.js';
import { silentProgress } from '../../../workload/platform/progress.js';
import { seededRandom } from '../../../workload/platform/random.js';
import { createEngineWorld, type EngineWorld } from '../../helpers/engine-world.js';

// Dozens of short programs run in some of these; a busy machine needs its time.
jest.setTimeout(60_000);

let world: EngineWorld;
let printed: string[];
let documents: unknown[];
let ends: string[];
beforeEach(async () => {
  world = await createEngineWorld();
  printed = [];
  documents = [];
  ends = [];
});
afterEach(() => world.remove());

const run = async (...args: readonly string[]): Promise<void> => {
  const { env, clock, processes, host } = world.context;
  const context: CommandContext = {
    env: { ...env, MESHSCALE_CACHE: world.context.cacheDir, MESHSCALE_HOME: world.root },
    clock,
    processes,
    host,
    random: seededRandom(1),
    cwd: world.root,
    output: {
      data: (text) => printed.push(text),
      json: (value) => documents.push(value),
    },
    progress: () => silentProgress,
    wantsJson: () => args.includes('--json'),
    signal: new AbortController().signal,
    exitWith: (word) => ends.push(word),
  };
  const program = new Command().option('--json').exitOverride();
  registerEngines(program, context);
  registerDoctor(program, context);
  await program.parseAsync(args, { from: 'user' });
};

describe('meshscale engines', () => {
  it('installs, lists, finds and cleans', async () => {
    await world.go();
    await run('engines', 'install', 'kwok');
    await run('engines', 'path', 'kwok');
    await run('engines', 'list', '--verify');
    await run('engines', 'clean', 'kwok');
    const [installed, path, ...rest] = printed;
    expect(installed).toBe(`kwok 0.8.0 (built) ${path ?? ''}`);
    const list = rest.join('\n');
    expect(list).toMatch(/^kwok +0\.8\.0 +cache /m);
    expect(list).toMatch(/^etcd +- +missing +wanted: 3\.5\.0 or later/m);
    expect(list).toMatch(/^removed kwok 0\.8\.0 \(current, /m);
  });

  it('gives one document each with --json', async () => {
    await world.program('kwok', "echo 'kwok version v0.8.0'");
    await run('--json', 'engines', 'install', 'kwok');
    await run('--json', 'engines', 'list');
    await run('--json', 'engines', 'clean');
    expect(printed).toEqual([]);
    expect(documents).toEqual([
      { schemaVersion: 1, engines: [expect.objectContaining({ source: 'path' })] },
      expect.objectContaining({ size: 0, cache: [] }),
      expect.objectContaining({ removed: [], freed: 0 }),
    ]);
  });

  it('fails for the path of an engine that is nowhere, after printing the others', async () => {
    await world.program('kwok', "echo 'kwok version v0.8.0'");
    const work = run('engines', 'path', 'etcd', 'kwok');
    await expect(work).rejects.toMatchObject({ code: 'engine/not-installed' });
    expect(printed).toEqual([`kwok ${world.root}/bin/kwok`]);
  });

  it('fails for names and ways that there are not', async () => {
    await expect(run('engines', 'install', 'etc')).rejects.toMatchObject({ exit: 'bad-input' });
    await expect(run('engines', 'install', '--from', 'magic')).rejects.toThrow('magic');
  });
});

describe('meshscale doctor', () => {
  it('ends well where the local mesh can run', async () => {
    await world.go();
    await run('doctor');
    expect(printed.at(-1)).toContain('The local mesh can run here.');
    expect(ends).toEqual([]);
  });

  it('ends with infrastructure where it cannot, and tells what to do', async () => {
    await run('--json', 'doctor');
    expect(documents).toEqual([expect.objectContaining({ schemaVersion: 1, localMesh: false })]);
    expect(ends).toEqual(['infrastructure']);
    await run('doctor');
    expect(printed.join('\n')).toContain('next:   install Go 1.26.0 or later');
  });
});
