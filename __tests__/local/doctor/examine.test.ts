import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { examine, type Patient } from '../../../local/doctor/examine.js';
import { ENGINE_NAMES } from '../../../local/engines/engine-names.js';
import { resolveEngines } from '../../../local/engines/resolve-engines.js';
import { GIB } from '../../../model/quantity.js';
import { seededRandom } from '../../../workload/platform/random.js';
import { createEngineWorld, type EngineWorld } from '../../helpers/engine-world.js';

// Dozens of short programs run in some of these; a busy machine needs its time.
jest.setTimeout(60_000);

let world: EngineWorld;
beforeEach(async () => {
  world = await createEngineWorld();
});
afterEach(() => world.remove());

const patient = (changes: Partial<Patient> = {}): Patient => ({
  engines: world.context,
  random: seededRandom(7),
  stateDir: join(world.root, 'state'),
  nodeVersion: 'v20.20.2',
  userId: 1000,
  ...changes,
});
const states = async (changes: Partial<Patient> = {}) =>
  Object.fromEntries((await examine(patient(changes))).map(({ name, state }) => [name, state]));

describe('the doctor', () => {
  it('finds a machine healthy that has Go and room', async () => {
    await world.go();
    const checks = await examine(patient());
    expect(checks.filter(({ state }) => state === 'missing')).toEqual([]);
    expect(checks.map(({ name }) => name)).toEqual([
      'node',
      'engines',
      'go',
      'load',
      'memory',
      'disk (engines)',
      'disk (meshes)',
      'ports',
      'rights',
      'git',
      'terraform',
      'chromium',
    ]);
  });

  it('has a remedy for all that is not fine, and none for what is', async () => {
    for (const check of await examine(patient())) {
      expect([check.name, check.remedy === undefined]).toEqual([check.name, check.state === 'ok']);
    }
  });

  it('misses Go and the engines when neither is there', async () => {
    expect(await states()).toMatchObject({ go: 'missing', engines: 'missing' });
  });

  it('does not insist on Go when every engine is there', async () => {
    await world.go();
    await resolveEngines(ENGINE_NAMES, world.context);
    await world.program('go', 'exit 1');
    expect(await states()).toMatchObject({ go: 'warn', engines: 'ok', 'disk (engines)': 'ok' });
  });

  it('misses what an explicit variable names wrongly', async () => {
    await world.go();
    const env = { ...world.context.env, MESHSCALE_ENGINE_KWOK: '/nowhere' };
    expect(await states({ engines: world.with({ env }) })).toMatchObject({ engines: 'missing' });
  });

  it.each([
    [20 * GIB, 'ok'],
    [3 * GIB, 'warn'],
    [1 * GIB, 'missing'],
  ])('calls %d bytes of memory %s while engines have to be built', async (available, state) => {
    const host = { ...world.context.host, availableMemory: () => available };
    expect((await states({ engines: world.with({ host }) }))['memory']).toBe(state);
  });

  it('misses room, rights to write and a newer Node', async () => {
    const host = { ...world.context.host, freeDisk: () => Promise.resolve(0) };
    await writeFile(join(world.root, 'state'), 'a file');
    expect(await states({ engines: world.with({ host }), nodeVersion: 'v18.1.0' })).toMatchObject({
      node: 'missing',
      'disk (engines)': 'missing',
      'disk (meshes)': 'missing',
    });
  });

  it('wants root only as an extra', async () => {
    expect(await states()).toMatchObject({ rights: 'warn' });
    expect(await states({ userId: 0 })).toMatchObject({ rights: 'ok' });
  });
});
